import type { Detection } from '../detection.ts'
import type { Box } from '../geometry.ts'

/** Highest confidence of each label, 0: not detected; and the boxes, in fractions of the frame. */
export interface EpiEvidence {
  readonly hardhat: number
  readonly noHardhat: number
  readonly vest: number
  readonly noVest: number
  /** A cap or hat on a head without hard hat. `no_hardhat` of that head includes it. */
  readonly cap: number
  readonly caixas: readonly Detection[]
}

/** A track of any label. */
interface Tracked {
  readonly id: number
  readonly rotulo: string
  readonly box: Box
}

/**
 * Distance of worn items outside a person's box, as a fraction of the box: detectors leave out a helmet's brim or an
 * arm.
 */
const REACH = 0.15
/**
 * The middle of a head is in the upper third of a person in every working posture; that of a vest is below the head.
 */
const HEAD_TO = 0.35
const VEST_FROM = 0.1
const VEST_TO = 0.85
/** Limits for a person whose legs, or whole lower body, the border of the picture cuts off. */
const CUT_HEAD_TO = 0.6
const CUT_VEST_TO = 1 + REACH
const BORDER = 0.98

/**
 * Evidence of the epi model for each inspected person, by track. Each helmet and vest belongs to the one person with
 * the best position: people stand in front of each other and of cars. People outside of `plan` are not in the result.
 */
export function epiEvidence(
  found: readonly Detection[],
  tracks: readonly Tracked[],
  plan: readonly { readonly trackId: number }[],
): ReadonlyMap<number, EpiEvidence> {
  const people = tracks.filter(({ rotulo }) => rotulo === 'person')
  const shown = new Set(plan.map(({ trackId }) => trackId))
  const worn = new Map<number, Detection[]>()
  for (const detection of found) {
    const [best] = people
      .flatMap((person) => {
        const misfit = misfitOf(detection, person.box)
        return misfit === null ? [] : [{ id: person.id, misfit }]
      })
      .sort((a, b) => a.misfit - b.misfit)
    if (best) worn.set(best.id, [...(worn.get(best.id) ?? []), detection])
  }
  return new Map([...shown].map((id) => [id, evidenceOf(worn.get(id) ?? [])]))
}

function evidenceOf(found: readonly Detection[]): EpiEvidence {
  const best = (label: string) =>
    Math.max(0, ...found.map(({ rotulo, confianca }) => (rotulo === label ? confianca : 0)))
  return {
    hardhat: best('hardhat'),
    noHardhat: Math.max(best('no_hardhat'), best('cap')),
    vest: best('vest'),
    noVest: best('no_vest'),
    cap: best('cap'),
    caixas: found.filter(({ rotulo }) => rotulo !== 'cap'),
  }
}

const headLabels: ReadonlySet<string> = new Set(['hardhat', 'no_hardhat', 'cap'])

/** Distance from the ideal position, 0: exact; null: not on this person. */
function misfitOf({ rotulo, x, y, w, h }: Detection, person: Box): number | null {
  // Middle of the item on the person: 0–1 from left to right and from head to foot.
  const across = (x + w / 2 - person.x) / person.w
  const down = (y + h / 2 - person.y) / person.h
  if (across < -REACH || across > 1 + REACH) return null
  const onHead = headLabels.has(rotulo)
  const isCut = person.y + person.h >= BORDER
  const headTo = isCut ? CUT_HEAD_TO : HEAD_TO
  const vestTo = isCut ? CUT_VEST_TO : VEST_TO
  const [from, to] = onHead ? [-REACH, headTo] : [VEST_FROM, vestTo]
  if (down < from || down > to) return null
  return Math.abs(across - 0.5) + Math.abs(down - (onHead ? 0.08 : 0.35))
}
