import { ia } from '../catalogue.ts'
import { type Box, footOf, lineEnds, pointInPolygon, polygons, reachPictureBorder, type Zonas } from '../geometry.ts'
import { createLineCrossing } from '../line-crossing.ts'
import type { ObservedTrack } from '../observation.ts'
import { createZoneInertia } from '../zone-inertia.ts'
import type { LossReason, Occasion } from './occasion.ts'
import type { Settings } from './settings.ts'

/** Values of `direcao` in the catalogue. */
const codes = { ab: 1, ba: 2 } as const

/**
 * Why the candidate does not fit the zones, the line or the own thresholds of its IA. null: it fits. The answer rests
 * on the path up to the candidate and on its boxes, so that it is an estimate for zones and lines.
 */
export function shapeLoss(occasion: Occasion, before: Settings, after: Settings): LossReason | null {
  const { geometria } = ia(occasion.ia)
  if (geometria === 'linha' && !crosses(occasion, before, after)) return 'linha'
  if (geometria === 'zona' && before.zonas !== after.zonas && !isInside(occasion, after)) return 'zona'
  return ownLoss(occasion, after)
}

/** The loss by a threshold that only this IA has. */
function ownLoss({ ia: nome, detalhes }: Occasion, after: Settings): LossReason | null {
  const limits = after.calibracao[nome]
  const { direcao, pessoas, faltam } = detalhes
  if (direcao !== undefined && Number(limits.direcao ?? 0) !== 0 && codes[direcao] !== limits.direcao) return 'direcao'
  if (pessoas !== undefined && pessoas < Number(limits.min_pessoas ?? 0)) return 'pessoas'
  if (faltam !== undefined && !faltam.some((item) => Boolean(limits[`exigir_${item}`]))) return 'itens'
  return null
}

function crosses({ trajeto }: Occasion, before: Settings, after: Settings): boolean {
  if (before.linha === after.linha) return true
  const ends = lineEnds(after.linha)
  if (!ends) return false
  // A candidate without a path says nothing about another line.
  if (trajeto.length === 0) return true
  const line = createLineCrossing(ends)
  return trajeto.map(({ ms, ...box }) => line.follow(box, ms)).some((direction) => direction !== null)
}

function isInside({ ia: nome, trajeto, caixas, detalhes }: Occasion, { zonas, calibracao }: Settings): boolean {
  if (zonas.length === 0) return true
  const feet = caixas.filter((box) => isFootIn(box, zonas)).length
  if (detalhes.pessoas !== undefined) return feet >= Number(calibracao[nome].min_pessoas ?? 1)
  if (trajeto.length === 0) return feet > 0
  const zones = createZoneInertia(polygons(zonas))
  return trajeto.some(({ ms, ...box }) => {
    zones.update([standIn(box)], ms)
    return zones.zoneOf(0) !== 'fora'
  })
}

const isFootIn = (box: Box, zonas: Zonas): boolean =>
  polygons(zonas).some((outline) => pointInPolygon(footOf(box), reachPictureBorder(outline)))

const standIn = (box: Box): ObservedTrack => ({
  id: 0,
  rotulo: '',
  confianca: 1,
  box,
  hits: 1,
  predicted: false,
  motion: 0,
  stillMs: 0,
  evidence: {},
})
