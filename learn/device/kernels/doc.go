// Package kernels trains networks on a graphics processor with CUDA.
//
// kernel.cu has the code: a warp of 32 lanes plays one game, and thousands of games update one set of weights without
// locks. kernel.ptx is its compiled form, which the driver translates for the graphics processor at hand;
// scripts/ptx.py makes it. [New] runs the kernels on a [Machine], such as that of the command afterstate-cuda. Compiled
// as C, for the processor, they are a Machine for tests.
//
// One game at a time trains the same weights as one thread of package learn, bit for bit (TestSameAsThread; additions on
// a graphics processor replace numbers below 1.2e-38 by zero). Games that are played at once add to the weights in an
// order that differs from run to run, and compute lambda-returns with values that are a few moves old.
//
// TC sums are float32, which stop growing after 2^24 errors of equal size. On a graphics processor, weights that are used
// often reach that number within a minute. So the kernel halve runs after every turn. If the absolute errors of a weight
// sum to more than a limit, it halves both sums, which does not change the rate of the weight; see learn.DeviceTurn.
package kernels

import _ "embed"

// PTX is the compiled form of kernel.cu.
//
//go:embed kernel.ptx
var PTX string
