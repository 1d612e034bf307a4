// Package repository has no code except tests of the repository as a whole: the documentation is
// accurate and its commands run, the recipes of CONTRIBUTING.md work in a copy, and other modules
// can build on this one.
package repository
