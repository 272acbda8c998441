package kernels

import "github.com/stride0/stride0/broadcast"

// commonAxes are the numbers of axes of common forms, of kept and of reduced
// ones alike.
var commonAxes = [...]int8{3, 6, 12}

// Common returns the form, of the few for which kernels are made ahead, that
// runs what f does: with more axes, whose sizes are 1, and with offsets of 64
// bits. A device without a compiler uses it. Beyond 12 axes there is none, and
// OpIndex leaves keep their codes, of which CommonForms has one.
func (f Form) Common() Form {
	switch {
	case f.Kind == FlatForm && f.Scalars <= 2:
		return f
	case f.Kind == FlatForm:
		f.Kind, f.Scalars = GridForm, 0
	case f.Kind == RowsForm:
		f.Kind, f.Unit = BlockForm, false
	}
	f.Wide = true
	if f.Kind == GridForm {
		f.Kept = commonAxesFor(f.Kept)
		return f
	}
	f.Kept = commonAxesFor(max(f.Kept, f.Reduced))
	f.Reduced = f.Kept
	return f
}

func commonAxesFor(n int8) int8 {
	for _, c := range commonAxes {
		if n <= c {
			return c
		}
	}
	return broadcast.MaxRank
}

// CommonForms returns the forms that Common yields for l, in a fixed order. One
// with an OpIndex leaf runs along one axis only, so it has FlatForm alone.
func CommonForms(l *Lowered) []Form {
	flat := Form{Kind: FlatForm}
	if l.indexLeaves() > 0 {
		flat.index[0] = 1
		return []Form{flat}
	}
	var forms []Form
	if l.Reduce == nil {
		forms = append(forms, flat)
		if n := l.inputs(); n >= 2 {
			forms = append(forms, Form{Kind: FlatForm, Scalars: 1}, Form{Kind: FlatForm, Scalars: 2})
		}
	}
	for _, axes := range commonAxes {
		if l.Reduce == nil {
			forms = append(forms, Form{Kind: GridForm, Kept: axes, Wide: true})
			continue
		}
		for _, kind := range [...]FormKind{BlockForm, LeadForm} {
			forms = append(forms, Form{Kind: kind, Kept: axes, Reduced: axes, Wide: true})
		}
	}
	return forms
}
