import { detalhesIaSchema } from '@vigia/contracts/candidate'
import type { Evento } from '@vigia/contracts/eventos'
import type { TFunction } from 'i18next'
import { formatDuration } from '../../../base/tempo/format-time.ts'
import { pageLocale } from '../../../texts/locale.ts'

/** `numero` or `duracao`, or the words for the values. */
type Valor = string | Readonly<Record<string, string>>

/** Measurements of the IA as terms with values. Fields that this page does not know are omitted. */
export function measured({ detalhes }: Evento, t: TFunction): readonly (readonly [string, string])[] {
  const known = detalhesIaSchema.safeParse(detalhes)
  if (!known.success) return []
  const values: Readonly<Record<string, unknown>> = known.data
  const table: Readonly<Record<string, { termo: string; valor: Valor }>> = t('alertas.detalhe.medido', {
    returnObjects: true,
  })
  return Object.entries(table).flatMap(([campo, { termo, valor }]) => {
    const items = [values[campo] ?? []].flat()
    if (items.length === 0) return []
    return [[termo, new Intl.ListFormat(pageLocale()).format(items.map((item) => written(item, valor)))] as const]
  })
}

function written(item: unknown, valor: Valor): string {
  if (typeof valor === 'object') return valor[String(item)] ?? String(item)
  return valor === 'duracao' ? formatDuration(Number(item) * 1000) : String(item)
}
