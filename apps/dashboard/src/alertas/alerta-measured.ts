import { detalhesIaSchema } from '@vigia/contracts/candidate'
import type { Evento } from '@vigia/contracts/eventos'
import type { TFunction } from 'i18next'
import { formatDuration } from '../tempo/format-time.ts'

/** Measurements of the IA as terms with values. Fields that this page does not know are omitted. */
export function measured({ detalhes }: Evento, t: TFunction): readonly (readonly [string, string])[] {
  const known = detalhesIaSchema.safeParse(detalhes)
  if (!known.success) return []
  const { direcao, duracao_s, pessoas, faltam, problema } = known.data
  const facts: (readonly [string, string])[] = []
  if (direcao !== undefined)
    facts.push([
      t('alertas.detalhe.medido.direcao'),
      t(direcao === 'ab' ? 'alertas.detalhe.medido.direcaoAb' : 'alertas.detalhe.medido.direcaoBa'),
    ])
  if (faltam !== undefined && faltam.length > 0)
    facts.push([
      t('alertas.detalhe.medido.faltam'),
      new Intl.ListFormat('pt-BR').format(faltam.map((item) => t(`alertas.detalhe.medido.${item}`))),
    ])
  if (problema !== undefined)
    facts.push([t('alertas.detalhe.medido.problema'), t(`alertas.detalhe.medido.problemas.${problema}`)])
  if (pessoas !== undefined) facts.push([t('alertas.detalhe.medido.pessoas'), String(pessoas)])
  if (duracao_s !== undefined) facts.push([t('alertas.detalhe.medido.duracao'), formatDuration(duracao_s * 1000)])
  return facts
}

/**
 * Path of the object's foot point up to the event, as points of an SVG polyline in fractions of the frame. null:
 * unknown.
 */
export function polylineOf({ detalhes }: Evento): string | null {
  const known = detalhesIaSchema.safeParse(detalhes)
  const trajeto = known.success ? known.data.trajeto : undefined
  if (trajeto === undefined || trajeto.length < 2) return null
  return trajeto.map(({ x, y, w, h }) => `${x + w / 2},${y + h}`).join(' ')
}
