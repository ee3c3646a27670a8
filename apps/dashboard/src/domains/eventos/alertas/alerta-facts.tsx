import type { Camera } from '@vigia/contracts/cameras'
import type { Evento, EventoDetalhe } from '@vigia/contracts/eventos'
import { partesDaFonte } from '@vigia/contracts/palavras-veredito'
import { useTranslation } from 'react-i18next'
import { formatConfidence, formatFull } from '../../../base/tempo/format-time.ts'
import { useWhen } from '../../../base/tempo/use-when.ts'
import { useEmpresa } from '../../../session/use-empresa.ts'
import { useZoneName } from '../incidentes/zone-name.ts'
import classes from './alerta-detail.module.css'
import { measured } from './alerta-measured.ts'

interface AlertaFactsProps {
  readonly evento: Evento
  readonly revisao: EventoDetalhe['revisao']
  /** undefined: it was removed, or is not loaded yet. */
  readonly camera: Camera | undefined
}

/** The data of an alert as a list of terms. */
export function AlertaFacts({ evento, revisao, camera }: AlertaFactsProps) {
  const { t } = useTranslation()
  const nameOfZone = useZoneName()
  const when = useWhen()
  const { nome, fuso } = useEmpresa(evento.empresa_id)
  const names: Readonly<Record<string, string>> = t('rotulos', { returnObjects: true })
  const seen = evento.caixas.map(({ rotulo, confianca }) =>
    t('alertas.detalhe.caixa', {
      rotulo: Object.hasOwn(names, rotulo) ? (names[rotulo] ?? rotulo) : rotulo,
      confianca: formatConfidence(confianca),
    }),
  )
  const fonte = evento.veredito && partesDaFonte(evento.veredito.fonte)
  const facts: readonly (readonly [string, string | null])[] = [
    [t('alertas.detalhe.quando'), when({ em: evento.ocorrido_em, incerta: evento.hora_incerta }, fuso, formatFull)],
    [t('alertas.detalhe.recebido'), formatFull(evento.recebido_em, fuso)],
    [t('alertas.detalhe.camera'), evento.camera_nome],
    [t('alertas.detalhe.empresa'), nome],
    [
      t('alertas.detalhe.zona'),
      evento.zona === null ? t('alertas.detalhe.quadroInteiro') : nameOfZone(camera, evento.zona),
    ],
    [t('alertas.detalhe.visto'), seen.length === 0 ? null : seen.join('; ')],
    ...measured(evento, t),
    [t('alertas.detalhe.confiancaDeteccao'), formatConfidence(evento.confianca)],
    [
      t('alertas.detalhe.fonte'),
      fonte
        ?.map((parte) =>
          parte.quem === 'outro' ? parte.modelo : t(`alertas.detalhe.fontes.${parte.quem}`, { modelo: parte.modelo }),
        )
        .join(', ') ?? null,
    ],
    [t('alertas.detalhe.verificadoEm'), evento.veredito && formatFull(evento.veredito.verificado_em, fuso)],
    [
      t('alertas.detalhe.revisao'),
      revisao &&
        t('alertas.detalhe.revisaoTexto', {
          rotulo: t(`alertas.situacao.${revisao.rotulo_humano}`),
          revisor: revisao.revisor,
        }),
    ],
    [t('alertas.detalhe.registro'), t('alertas.detalhe.numero', { id: evento.id })],
  ]
  return (
    <dl className={classes.facts}>
      {facts.map(
        ([term, value]) =>
          value !== null && (
            <div key={term} style={{ display: 'contents' }}>
              <dt>{term}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  )
}
