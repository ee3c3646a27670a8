interface TimedPassage {
  /** null: unread. */
  readonly placa: string | null
  /** Epoch ms; `fim` null: still open. */
  readonly inicio: number
  readonly fim: number | null
}

export interface OrderOfPassages {
  /** Passages of read cars, and of unread ones that are not in the background of a read one. */
  readonly passages: number
  /** Cars without a passage of their own, between the first and the last read one. */
  readonly lost: number
  /** Passages of the same car as the passage before, and unread ones beyond the missing cars. */
  readonly doubled: number
  /** Passages without a plate, or with one that no car has, in place of a missing car. */
  readonly unread: number
}

/**
 * Compares the passages of one camera with the cars, which come again and again in the order of `cars`. A passage
 * without a known plate stands for a missing car. During the passage of a read car it shows a car in the background of
 * the same photograph and does not count.
 * @param seen oldest first
 */
export function orderOfPassages(cars: readonly string[], seen: readonly TimedPassage[]): OrderOfPassages {
  const isRead = ({ placa }: TimedPassage) => placa !== null && cars.includes(placa)
  const read = seen.filter(isRead)
  const counted = seen.filter((one) => isRead(one) || !read.some((other) => isDuring(one, other)))
  let [lost, doubled, unread, between] = [0, 0, 0, 0]
  let last: number | null = null
  for (const one of counted) {
    if (!isRead(one)) {
      between++
      continue
    }
    const at = cars.indexOf(one.placa ?? '')
    const missing: number = last === null ? between : ((at - last + cars.length) % cars.length) - 1
    const isDoubled = missing < 0
    if (isDoubled) doubled++
    const filled = Math.min(between, Math.max(0, missing))
    lost += Math.max(0, missing) - filled
    unread += filled
    doubled += between - filled
    ;[last, between] = [at, 0]
  }
  return { passages: counted.length, lost, doubled, unread: unread + between }
}

/** Whether more than half of a passage lies within another one. */
function isDuring(one: TimedPassage, other: TimedPassage): boolean {
  const fim = one.fim ?? one.inicio
  const common = Math.min(fim, other.fim ?? fim) - Math.max(one.inicio, other.inicio)
  return common > (fim - one.inicio) / 2
}
