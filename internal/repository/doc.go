// Package repository tests the repository as a whole: that its pages say what is true, that their commands run, that
// the recipes of CONTRIBUTING.md work in a copy, and that other modules can build on this one.
package repository
