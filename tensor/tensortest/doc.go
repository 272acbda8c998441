// Package tensortest helps to test programs that use tensors: it finds memory
// that a test leaves behind.
//
// Vocabulary: a buffer is live while a tensor that somebody can still reach
// uses it; a leak is a buffer that a test made and that lives after it, as one
// does that a map, a goroutine or a package variable holds.
//
//	func TestTrainer(t *testing.T) {
//		tensortest.CheckLeaks(t, cpu.Default()) // first: it looks again after the test
//		m := NewTrainer()
//		defer m.Close()
//		if err := m.Step(); err != nil {
//			t.Fatal(err)
//		}
//	}
//
// To add a check, add a file with its function.
package tensortest
