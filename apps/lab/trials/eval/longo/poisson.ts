/** Probability of at most `count` events where `mean` are expected. */
function atMost(count: number, mean: number): number {
  let [term, sum] = [Math.exp(-mean), 0]
  for (let k = 0; k <= count; k++) {
    sum += term
    term *= mean / (k + 1)
  }
  return sum
}

/** The 95 % upper limit of the expected number after `count` observed events (Garwood, Biometrika 28, 1936). */
export function poissonLimit(count: number): number {
  let [low, high] = [0, 3 * count + 10]
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2
    if (atMost(count, middle) > 0.05) low = middle
    else high = middle
  }
  return high
}
