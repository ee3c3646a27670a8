import { IconCar, IconDownload, IconLock } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useRouteContext, useSearch } from '@tanstack/react-router'
import type { Passagem } from '@vigia/contracts/passagens'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ownAddress } from '../../api/base-path.ts'
import {
  type FiltroPassagens,
  PASSAGENS,
  passagensQuery,
  searchOfPassagens,
  todasPassagens,
} from '../../api/placas-queries.ts'
import { useServices } from '../../session/services.ts'
import { useEmpresa } from '../../session/use-empresa.ts'
import { usePageTitle } from '../../session/use-page-title.ts'
import { CardsSkeleton } from '../../ui/cards-skeleton.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Notice } from '../../ui/notice.tsx'
import { CardGrid, PageActions, PageHead, Soft } from '../../ui/page.tsx'
import { CorrectPassagem } from './correct-passagem.tsx'
import { PassagemCard } from './passagem-card.tsx'
import { PassagemFilters } from './passagem-filters.tsx'
import { PercursoDialog } from './percurso-dialog.tsx'
import classes from './placas.module.css'

/** Vehicles that cameras with plate reading have seen, newest first. */
export function PassagensPage() {
  const { t } = useTranslation()
  const { me } = useRouteContext({ from: '/painel' })
  const [filtro, setFiltro] = useState(todasPassagens)
  usePageTitle(t('placas.titulo'))
  if (!me.ve_placas) return <Notice icon={<IconLock size={32} />} title={t('placas.so')} />
  return (
    <>
      <PageHead>
        <h1>{t('placas.titulo')}</h1>
        <PageActions>
          <Link to="/presentes" className={classes.link}>
            {t('placas.presentes.titulo')}
          </Link>
          <Link to="/placas" className={classes.link}>
            {t('placas.listas.titulo')}
          </Link>
        </PageActions>
      </PageHead>
      <PassagemFilters filtro={filtro} onChange={setFiltro} />
      <Passagens filtro={filtro} />
    </>
  )
}

function Passagens({ filtro }: { filtro: FiltroPassagens }) {
  const { t } = useTranslation()
  const { api } = useServices()
  const { empresa } = useSearch({ from: '/painel' })
  const [wrong, setWrong] = useState<Passagem | null>(null)
  const [followed, setFollowed] = useState<Passagem | null>(null)
  const { fuso } = useEmpresa(empresa ?? null)
  const scope = { empresa: empresa ?? null, fuso }
  const { data, error, refetch } = useQuery(passagensQuery(api, filtro, scope))
  const isNarrowed = filtro !== todasPassagens
  if (error && !data) return <Failure error={error} onRetry={() => void refetch()} />
  if (!data) return <CardsSkeleton />
  if (data.length === 0)
    return (
      <Notice
        icon={<IconCar size={32} />}
        title={t(isNarrowed ? 'placas.vazio.busca' : 'placas.vazio.titulo')}
        text={t(isNarrowed ? 'placas.vazio.buscaTexto' : 'placas.vazio.texto')}
      />
    )
  return (
    <>
      <a
        className={classes.link}
        href={ownAddress(`/api/v1/passagens/exportar${searchOfPassagens(filtro, scope, null)}`)}
        download
      >
        <IconDownload size={18} aria-hidden="true" /> {t('placas.arquivo.baixarPassagens')}
      </a>
      <CardGrid aria-label={t('placas.titulo')}>
        {data.map((passagem) => (
          <li key={passagem.id}>
            <PassagemCard
              passagem={passagem}
              onCorrect={() => setWrong(passagem)}
              onPercurso={() => setFollowed(passagem)}
            />
          </li>
        ))}
      </CardGrid>
      {followed?.placa && (
        <PercursoDialog placa={followed.placa} empresa={followed.empresa_id} onClose={() => setFollowed(null)} />
      )}
      {wrong && <CorrectPassagem passagem={wrong} onClose={() => setWrong(null)} />}
      {data.length >= PASSAGENS && <Soft>{t('placas.limite', { total: PASSAGENS })}</Soft>}
    </>
  )
}
