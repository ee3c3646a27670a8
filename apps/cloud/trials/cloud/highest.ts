/**
 * Searches for the highest rate that is carried. Doubles `from` until a rate is not carried, or halves it until one is.
 * Then halves the interval until it is at most the share `precision` of its lower end.
 * @param most no rate above this one is tried
 * @returns the highest carried rate; 0: not even `least`
 */
export async function findHighest(
  { from, least, most, precision }: Readonly<Record<'from' | 'least' | 'most' | 'precision', number>>,
  isCarried: (rate: number) => Promise<boolean>,
): Promise<number> {
  let [low, high] = [0, Number.POSITIVE_INFINITY]
  const measure = async (rate: number) => {
    const carried = await isCarried(rate)
    if (carried) low = rate
    else high = rate
    return carried
  }
  for (let rate = from; rate >= least && rate <= most && (low === 0 || high === Number.POSITIVE_INFINITY); )
    rate = (await measure(rate)) ? rate * 2 : rate / 2
  while (low > 0 && high < Number.POSITIVE_INFINITY && high - low > low * precision) await measure((low + high) / 2)
  return low
}
