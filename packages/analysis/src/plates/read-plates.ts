import { bandChance } from './mercosul-band.ts'
import type { RgbPicture, TextBox } from './picture.ts'
import { joinSteps, type PlateReading, plateSyntaxes, readSyntax, SYMBOLS, type TextSteps } from './plate-syntax.ts'
import type { TextNetworks } from './text-networks.ts'

/** A plate in a picture. */
export interface PlateFound extends PlateReading {
  /** The text without the frame of the plate, in pixels of the picture. */
  readonly box: Omit<TextBox, 'score'>
  /** Further readings of the same text, best first. */
  readonly candidates: readonly PlateReading[]
}

/** A text without a reading of this chance is no plate. */
const PLATE_MIN = 0.02
/** Further readings below this chance are left out; the vote over frames needs the weaker ones. */
const CANDIDATE_MIN = 0.002
const CANDIDATES_MAX = 16
/** Scales of the box along and across the text. The recogniser varies with its frame, so that the mean errs less. */
const FRAMES = [
  [1, 1],
  [1.06, 1.1],
  [1.03, 1.25],
] as const

/** Fewest symbols of a line: the upper one of a motorcycle's plate has three. */
const LINE_MIN = 3

/** Width of a line of a plate over its height: three symbols to seven symbols, seen from the side or from above. */
const [ASPECT_MIN, ASPECT_MAX] = [1.1, 9]

interface Line {
  readonly box: TextBox
  /** One for each of FRAMES; only the first if it is no text of a plate. */
  readonly steps: readonly TextSteps[]
}

/**
 * Reads the plates in a picture, best first; several vehicles yield several plates.
 * @param side longer side of the picture for the search, in pixels
 */
export async function readPlates(networks: TextNetworks, picture: RgbPicture, side: number): Promise<PlateFound[]> {
  const boxes = (await networks.find(picture, side)).filter(({ width, height }) => {
    const aspect = width / height
    return aspect >= ASPECT_MIN && aspect <= ASPECT_MAX
  })
  const lines: Line[] = []
  for (const box of boxes) lines.push({ box, steps: await readLine(networks, picture, box) })
  const found = lines.flatMap(({ box, steps }) => judge(box, bandChance(picture, box), steps))
  for (const upper of lines)
    for (const lower of lines)
      if (isBelow(upper.box, lower.box))
        found.push(
          ...judge(around(upper.box, lower.box), bandChance(picture, upper.box), joined(upper.steps, lower.steps)),
        )
  return found.sort((a, b) => b.chance - a.chance)
}

async function readLine(networks: TextNetworks, picture: RgbPicture, box: TextBox): Promise<TextSteps[]> {
  const all: TextSteps[] = []
  for (const [along, across] of FRAMES) {
    all.push(await networks.read(picture, { ...box, width: box.width * along, height: box.height * across }))
    // Most boxes hold other text.
    if (!mayBePlate(all[0])) break
  }
  return all
}

/** Whether the text may be a plate, or a line of one: it has at least three letters or digits. */
function mayBePlate(steps: TextSteps | undefined): boolean {
  if (!steps) return false
  const width = SYMBOLS.length + 1
  let symbols = 0
  for (let step = 0; step < steps.count; step++) if ((steps.values[step * width + width - 1] ?? 1) < 0.5) symbols++
  return symbols >= LINE_MIN
}

/** The text as a plate; none if no form fits. A form that contradicts the blue band loses chance. */
function judge(box: Omit<TextBox, 'score'>, mercosul: number, steps: readonly TextSteps[]): PlateFound[] {
  const readings = plateSyntaxes
    .flatMap((syntax) => {
      const share = Math.min(1, 2 * (syntax.forma === 'mercosul' ? mercosul : 1 - mercosul))
      const sums = new Map<string, number>()
      for (const one of steps)
        for (const { placa, chance } of readSyntax(one, syntax)) sums.set(placa, (sums.get(placa) ?? 0) + chance)
      return [...sums].map(([placa, sum]) => ({ placa, syntax, chance: (share * sum) / steps.length }))
    })
    .filter(({ chance }) => chance >= CANDIDATE_MIN)
    .sort((a, b) => b.chance - a.chance)
  const [best, ...candidates] = readings
  return best && best.chance >= PLATE_MIN ? [{ ...best, box, candidates: candidates.slice(0, CANDIDATES_MAX) }] : []
}

const joined = (upper: readonly TextSteps[], lower: readonly TextSteps[]): TextSteps[] =>
  upper.slice(0, lower.length).flatMap((steps, at) => {
    const below = lower[at]
    return below ? [joinSteps(steps, below)] : []
  })

/** Whether `lower` is the second line of a plate with two lines. */
function isBelow(upper: TextBox, lower: TextBox): boolean {
  const [cos, sin] = [Math.cos(upper.angle), Math.sin(upper.angle)]
  const [dx, dy] = [lower.centre.x - upper.centre.x, lower.centre.y - upper.centre.y]
  const along = Math.abs(dx * cos + dy * sin)
  const across = dy * cos - dx * sin
  const height = Math.max(upper.height, lower.height)
  const sizes = upper.height / lower.height
  return across > 0.6 * height && across < 1.6 * height && along < 0.5 * lower.width && sizes > 0.6 && sizes < 1.7
}

/** Box around both lines, at the angle of the upper one. */
function around(upper: TextBox, lower: TextBox): Omit<TextBox, 'score'> {
  const centre = { x: (upper.centre.x + lower.centre.x) / 2, y: (upper.centre.y + lower.centre.y) / 2 }
  const distance = Math.hypot(lower.centre.x - upper.centre.x, lower.centre.y - upper.centre.y)
  const height = distance + (upper.height + lower.height) / 2
  return { centre, width: Math.max(upper.width, lower.width), height, angle: upper.angle }
}
