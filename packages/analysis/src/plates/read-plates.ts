import { bandChance } from './mercosul-band.ts'
import type { RgbPicture, TextBox } from './picture.ts'
import { joinSteps, type PlateReading, plateSyntaxes, readSyntax, type TextSteps } from './plate-syntax.ts'
import type { TextNetworks } from './text-networks.ts'

/** A plate in a picture. */
export interface PlateFound extends PlateReading {
  /** The text without the frame of the plate, in pixels of the picture. */
  readonly box: Omit<TextBox, 'score'>
  /** Further readings of the same text, best first. */
  readonly candidates: readonly PlateReading[]
}

/** Readings below this chance are no text of a plate. */
const CANDIDATE_MIN = 0.02
const CANDIDATES_MAX = 4

/** Width of a line of a plate over its height: three symbols to seven symbols, seen from the side or from above. */
const [ASPECT_MIN, ASPECT_MAX] = [1.1, 9]

interface Line {
  readonly box: TextBox
  readonly steps: TextSteps
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
  for (const box of boxes) lines.push({ box, steps: await networks.read(picture, box) })
  const found = lines.flatMap(({ box, steps }) => judge(box, bandChance(picture, box), steps))
  for (const upper of lines)
    for (const lower of lines)
      if (isBelow(upper.box, lower.box))
        found.push(
          ...judge(around(upper.box, lower.box), bandChance(picture, upper.box), joinSteps(upper.steps, lower.steps)),
        )
  return found.sort((a, b) => b.chance - a.chance)
}

/** The text as a plate; none if no form fits. A form that contradicts the blue band loses chance. */
function judge(box: Omit<TextBox, 'score'>, mercosul: number, steps: TextSteps): PlateFound[] {
  const readings = plateSyntaxes
    .flatMap((syntax) => {
      const share = Math.min(1, 2 * (syntax.forma === 'mercosul' ? mercosul : 1 - mercosul))
      return readSyntax(steps, syntax).map((reading) => ({ ...reading, chance: reading.chance * share }))
    })
    .filter(({ chance }) => chance >= CANDIDATE_MIN)
    .sort((a, b) => b.chance - a.chance)
  const [best, ...candidates] = readings
  return best ? [{ ...best, box, candidates: candidates.slice(0, CANDIDATES_MAX) }] : []
}

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
