// Package archtest holds the rules of the architecture and checks the module
// against them: which package may import which, how long files and functions
// may be, where generated code may stand, and what every package must have.
//
// Vocabulary: a Package is what go list reports, with every file that lies in
// its folder whatever its build tags; a Rule says what one package may import;
// a violation is one line that names the file or package and the remedy.
//
//	packages, err := archtest.Load("../..")
//	if err != nil {
//		return err
//	}
//	for _, violation := range archtest.Check(packages, archtest.Rules) {
//		fmt.Println(violation)
//	}
//
// To add a package, or to let one import another, edit rules.go.
package archtest
