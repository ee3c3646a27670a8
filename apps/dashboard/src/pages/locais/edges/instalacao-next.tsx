import { IconCircleCheck } from '@tabler/icons-react'
import type { Instalacao } from '@vigia/contracts/instalacao'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ButtonLink } from '../../../ui/button-link.tsx'
import { Row } from '../../../ui/layout.tsx'
import classes from './instalacao.module.css'

interface InstalacaoNextProps {
  readonly instalacao: Instalacao
  /** Primary button once nothing is missing. */
  readonly whenReady: ReactNode
}

/** Marks the page of a step, which then leads back here. */
const search = { instalacao: true } as const

/** Page of the step for one camera. */
const pageOf = {
  canais: '/cameras/$id/prova-e-saude',
  ias: '/cameras/$id/o-que-vigia',
  zonas: '/cameras/$id/o-que-vigia/zonas',
  prova: '/cameras/$id/prova-e-saude/prova',
} as const

/** The next thing to do, with its one primary button. */
export function InstalacaoNext({ instalacao, whenReady }: InstalacaoNextProps) {
  const { t } = useTranslation()
  const { proximo, cameras, passos } = instalacao
  const step = stepOf(instalacao)
  const { id, nome = '' } = cameras.find(({ id }) => id === proximo?.camera_id) ?? {}
  const missing = passos.find(({ passo }) => passo === proximo?.passo)
  const others = missing === undefined ? 0 : missing.total - missing.feitas - 1
  return (
    <section className={classes.next} data-ready={step === 'pronta' || undefined} aria-labelledby="proximo-passo">
      <h2 id="proximo-passo">
        {step === 'pronta' && <IconCircleCheck size={22} aria-hidden="true" />}
        {t(`instalacao.proximo.${step}.titulo`, { nome })}
      </h2>
      <p>
        {t(`instalacao.proximo.${step}.texto`)}
        {id !== undefined && others > 0 && ` ${t('instalacao.outras', { count: others })}`}
      </p>
      <Row gap={6}>
        {step === 'pronta' && whenReady}
        {step === 'semCaixa' && (
          <ButtonLink to="/caixas/nova" search={search}>
            {t('instalacao.proximo.semCaixa.botao')}
          </ButtonLink>
        )}
        {step === 'caixa' && <ButtonLink to="/caixas">{t('instalacao.proximo.caixa.botao')}</ButtonLink>}
        {(step === 'gravador' || step === 'semCanal') && (
          <ButtonLink to="/gravadores/novo" search={search}>
            {t(`instalacao.proximo.${step}.botao`)}
          </ButtonLink>
        )}
        {step in pageOf && id !== undefined && (
          <ButtonLink to={pageOf[step as keyof typeof pageOf]} params={{ id: String(id) }} search={search}>
            {t(`instalacao.proximo.${step as keyof typeof pageOf}.botao`)}
          </ButtonLink>
        )}
        {step === 'ias' && others > 0 && (
          <ButtonLink to="/cameras/varias" variant="default">
            {t('cameras.varias')}
          </ButtonLink>
        )}
      </Row>
    </section>
  )
}

/** The text of the next step: a box or a camera may exist and not be ready, or not exist yet. */
function stepOf({ proximo, passos, cameras }: Instalacao) {
  if (proximo === null) return 'pronta'
  if (proximo.passo === 'caixa') return passos[0]?.total === 0 ? 'semCaixa' : 'caixa'
  if (proximo.passo === 'canais' && cameras.length === 0) return 'semCanal'
  return proximo.passo
}
