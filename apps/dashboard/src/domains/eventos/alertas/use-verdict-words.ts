import type { Evento } from '@vigia/contracts/eventos'
import { ia } from '@vigia/contracts/ias'
import type { Incidente } from '@vigia/contracts/incidentes'
import { desfechoDe } from '@vigia/contracts/palavras-veredito'
import { useTranslation } from 'react-i18next'
import { useLabelName } from '../../../texts/label-name.ts'
import { inPortuguese, pageLocale } from '../../../texts/locale.ts'

type Subject = Pick<Evento, 'tipo' | 'rotulos'>

/** Returns the things that events are about, as one text in the language of the page. */
function useSubject(): (events: readonly Subject[]) => string {
  const labelName = useLabelName()
  const names = ({ tipo, rotulos }: Subject) => {
    const { assunto, rotulos: known } = ia(tipo)
    if (assunto) return [inPortuguese() ? assunto.portugues : assunto.ingles]
    return (rotulos.length > 0 ? rotulos : known).map(labelName)
  }
  return (events) => new Intl.ListFormat(pageLocale(), { type: 'disjunction' }).format(new Set(events.flatMap(names)))
}

/** Returns the words of a verdict in place of numbers, in the language of the page. */
export function useVerdictWords(): (evento: Pick<Evento, 'tipo' | 'rotulos' | 'veredito'>) => string {
  const { t } = useTranslation()
  const subject = useSubject()
  return ({ veredito, ...evento }) =>
    veredito === null
      ? t('alertas.desfecho.pendente')
      : t(`alertas.desfecho.${desfechoDe(veredito)}`, { assunto: subject([evento]) })
}

/** The same of an incidente. */
export function useIncidenteWords(): (incidente: Pick<Incidente, 'tipos' | 'veredito' | 'certeza'>) => string {
  const { t } = useTranslation()
  const subject = useSubject()
  return ({ tipos, veredito, certeza }) => {
    if (veredito === 'refutado') return t('alertas.desfecho.descartado')
    const desfecho = veredito === 'pendente' ? veredito : desfechoDe({ decisao: veredito, certeza })
    return t(`alertas.desfecho.${desfecho}`, { assunto: subject(tipos.map((tipo) => ({ tipo, rotulos: [] }))) })
  }
}
