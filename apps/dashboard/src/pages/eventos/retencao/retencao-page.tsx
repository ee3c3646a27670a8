import { Button } from '@mantine/core'
import { IconBuilding, IconLock } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useRouteContext, useSearch } from '@tanstack/react-router'
import type { Retencao } from '@vigia/contracts/retencao'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDay } from '../../../base/tempo/format-time.ts'
import { formatBytes } from '../../../domains/locais/edges/edge-health.ts'
import { EmpresaChoice } from '../../../session/empresa-choice.tsx'
import { ownEmpresa } from '../../../session/own-empresa.ts'
import { useServices } from '../../../session/services.ts'
import { useEmpresa } from '../../../session/use-empresa.ts'
import { usePageTitle } from '../../../session/use-page-title.ts'
import { formatNumber } from '../../../texts/locale.ts'
import { CardsSkeleton } from '../../../ui/cards-skeleton.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { PageActions, PageHead, Soft } from '../../../ui/page.tsx'
import { Apagamentos } from './apagamentos.tsx'
import { ApagarPeriodo } from './apagar-periodo.tsx'
import { EditRetencao } from './edit-retencao.tsx'
import { ExportarPeriodo, ExportarTrecho } from './exportar-periodo.tsx'
import { Fact, FactSection } from './fact-section.tsx'
import { forecastTime } from './forecast-time.ts'
import { retencaoQuery } from './retencao-query.ts'

/** Retention, use and forecast of one Empresa, for administrators. */
export function RetencaoPage() {
  const { t } = useTranslation()
  const { me } = useRouteContext({ from: '/painel' })
  const { empresa } = useSearch({ from: '/painel' })
  usePageTitle(t('retencao.titulo'))
  if (me.papel !== 'administrador') return <Notice icon={<IconLock size={32} />} title={t('retencao.so')} />
  const id = empresa ?? ownEmpresa(me)
  return (
    <>
      <EmpresaChoice id={id} label={t('retencao.empresa')} none={t('retencao.nenhuma')} />
      {id === null ? (
        <>
          <PageHead>
            <h1>{t('retencao.titulo')}</h1>
          </PageHead>
          <Notice icon={<IconBuilding size={32} />} title={t('retencao.escolha')} />
        </>
      ) : (
        <OfEmpresa key={id} id={id} />
      )}
    </>
  )
}

function OfEmpresa({ id }: { readonly id: number }) {
  const { t } = useTranslation()
  const { api } = useServices()
  const { nome } = useEmpresa(id)
  const [open, setOpen] = useState<'prazos' | 'apagar' | 'exportar' | null>(null)
  const close = () => setOpen(null)
  const { trecho, onExported } = useTrecho()
  const { data, error, refetch } = useQuery(retencaoQuery(api, id))
  if (error && !data) return <Failure error={error} onRetry={() => void refetch()} />
  return (
    <>
      <PageHead>
        <h1>{t('retencao.titulo')}</h1>
        <Soft>{t('retencao.ajuda')}</Soft>
        <PageActions>
          <Button variant="default" onClick={() => setOpen('exportar')}>
            {t('retencao.exportacao.titulo')}
          </Button>
          <Button variant="default" onClick={() => setOpen('apagar')}>
            {t('retencao.periodo.abrir')}
          </Button>
          <Button disabled={!data} onClick={() => setOpen('prazos')}>
            {t('retencao.mudar')}
          </Button>
        </PageActions>
      </PageHead>
      {data ? <Shown retencao={data} /> : <CardsSkeleton />}
      <Apagamentos empresa={id} />
      {data && open === 'prazos' && <EditRetencao retencao={data} nome={nome ?? ''} onClose={close} />}
      {open === 'exportar' && <ExportarPeriodo empresa={id} onClose={close} />}
      {trecho && <ExportarTrecho empresa={id} periodo={trecho} onClose={onExported} />}
      {open === 'apagar' && <ApagarPeriodo empresa={id} onClose={close} />}
    </>
  )
}

/** Part of a camera's day that another page asks to export; null: none. */
function useTrecho() {
  const { camera, em, ate } = useSearch({ from: '/painel/retencao' })
  const navigate = useNavigate({ from: '/retencao' })
  const trecho = useMemo(() => {
    if (camera === undefined || em === undefined || ate === undefined) return null
    const fim = Math.min(Date.parse(ate), Date.now())
    return { inicio: em, fim: new Date(fim).toISOString(), cameras: [camera] }
  }, [camera, em, ate])
  return {
    trecho,
    onExported: () => void navigate({ search: ({ empresa }) => ({ empresa }), replace: true }),
  }
}

function Shown({ retencao }: { readonly retencao: Retencao }) {
  const { t } = useTranslation()
  const time = (days: number): string => {
    const { unit, count } = forecastTime(days)
    return t(`retencao.tempo.${unit}`, { count })
  }
  const { regras, uso, apagados, dias_ate_disco_cheio: cheio } = retencao
  return (
    <>
      <FactSection title={t('retencao.prazos')}>
        {regras.map(({ tipo, dias, dias_proprio, bytes }) => (
          <Fact key={tipo} name={t(`retencao.tipos.${tipo}`)}>
            {t('retencao.dias', { count: dias })}
            {bytes !== null && ` · ${t('retencao.ateTamanho', { tamanho: formatBytes(bytes) })}`}
            {dias_proprio === null && ` · ${t('retencao.herdado')}`}
          </Fact>
        ))}
      </FactSection>
      <FactSection title={t('retencao.uso')}>
        {uso.map(({ tipo, bytes, bytes_por_dia, dias_observados, dias_ate_limite, aviso }) => (
          <Fact key={tipo} name={t(`retencao.tipos.${tipo}`)} alarm={aviso !== null}>
            {dias_observados < 1
              ? t('retencao.cedo', { tamanho: formatBytes(bytes) })
              : t('retencao.ocupa', {
                  tamanho: formatBytes(bytes),
                  porDia: formatBytes(bytes_por_dia),
                  media: t('retencao.dias', { count: Math.floor(dias_observados) }),
                })}
            {dias_ate_limite !== null && ` · ${t('retencao.ateLimite', { tempo: time(dias_ate_limite) })}`}
            {aviso !== null && ` · ${aviso}`}
          </Fact>
        ))}
        <Fact name={t('retencao.disco')}>
          {cheio === null ? t('retencao.discoSobra') : t('retencao.discoCheio', { tempo: time(cheio) })}
        </Fact>
      </FactSection>
      <FactSection title={t('retencao.apagados')} empty={apagados.length === 0 ? t('retencao.nadaApagado') : null}>
        {apagados.map(({ dia, tipo, quantos, de, ate }) => (
          <Fact key={`${dia} ${tipo}`} name={`${formatDay(dia, Date.now(), 'UTC')} · ${t(`retencao.tipos.${tipo}`)}`}>
            {t('retencao.apagadosDe', {
              quantos: formatNumber(quantos),
              de: formatDay(de, Date.now(), 'UTC'),
              ate: formatDay(ate, Date.now(), 'UTC'),
            })}
          </Fact>
        ))}
      </FactSection>
    </>
  )
}
