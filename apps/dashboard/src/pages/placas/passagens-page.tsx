import { IconCar, IconDownload, IconLock } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useRouteContext, useSearch } from '@tanstack/react-router'
import { type Passagem, situacoesPlaca } from '@vigia/contracts/passagens'
import { coresVeiculo, tiposVeiculo } from '@vigia/contracts/veiculos'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ownAddress } from '../../api/base-path.ts'
import { flattenPages } from '../../api/flatten-pages.ts'
import { leiturasPassagem, passagensQuery, searchOfPassagens } from '../../api/placas-queries.ts'
import { useServices } from '../../session/services.ts'
import { useEmpresa } from '../../session/use-empresa.ts'
import { usePageTitle } from '../../session/use-page-title.ts'
import { Chip, Chips } from '../../ui/chips.tsx'
import { ListBody } from '../../ui/list-body.tsx'
import { More } from '../../ui/more.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PageActions, PageHead } from '../../ui/page.tsx'
import { WindowedGrid } from '../../ui/windowed-grid.tsx'
import { CorrectPassagem } from './correct-passagem.tsx'
import { PassagemCard } from './passagem-card.tsx'
import { PassagemFilters } from './passagem-filters.tsx'
import { PercursoDialog } from './percurso-dialog.tsx'
import classes from './placas.module.css'

/** Vehicles that cameras with plate reading have seen, newest first; those with a plate at first. */
export function PassagensPage() {
  const { t } = useTranslation()
  const { me } = useRouteContext({ from: '/painel' })
  const search = useSearch({ from: '/painel/passagens' })
  usePageTitle(t('placas.titulo'))
  if (!me.ve_placas) return <Notice icon={<IconLock size={32} />} title={t('placas.so')} />
  return (
    <>
      <PageHead>
        <h1>{t('placas.titulo')}</h1>
        <Chips aria-label={t('placas.filtro.rotuloLeitura')}>
          {leiturasPassagem.map((one) => (
            <Chip
              key={one}
              to="/passagens"
              search={{ ...search, leitura: one === 'com' ? undefined : one }}
              replace
              activeOptions={{ exact: true, includeSearch: true }}
            >
              {t(`placas.filtro.leitura.${one}`)}
            </Chip>
          ))}
        </Chips>
        <PageActions>
          <Link to="/presentes" className={classes.link}>
            {t('placas.presentes.titulo')}
          </Link>
          <Link to="/placas" className={classes.link}>
            {t('placas.listas.titulo')}
          </Link>
        </PageActions>
      </PageHead>
      <PassagemFilters />
      <Passagens />
    </>
  )
}

/** A value of the address; null: none, or an unknown one. */
const known = <T extends string>(all: readonly T[], value: string | undefined): T | null =>
  all.find((one) => one === value) ?? null

/** First estimate of the height of a card with its picture, px. */
const CARD_PX = 440
const keyOf = ({ id }: Passagem) => id

function Passagens() {
  const { t } = useTranslation()
  const { api } = useServices()
  const { empresa, ...chosen } = useSearch({ from: '/painel/passagens' })
  const [wrong, setWrong] = useState<Passagem | null>(null)
  const [followed, setFollowed] = useState<Passagem | null>(null)
  const { fuso } = useEmpresa(empresa ?? null)
  const scope = { empresa: empresa ?? null, fuso }
  const { placa = null, semelhantes = false, camera = null, de = null, ate = null } = chosen
  const leitura = known(leiturasPassagem, chosen.leitura) ?? 'com'
  const situacao = known(situacoesPlaca, chosen.situacao)
  const [veiculo, cor] = [known(tiposVeiculo, chosen.veiculo), known(coresVeiculo, chosen.cor)]
  const filtro = { placa, semelhantes, leitura, situacao, camera, veiculo, cor, de, ate }
  const query = useInfiniteQuery(passagensQuery(api, filtro, scope))
  const { leitura: _leitura, ...narrowing } = chosen
  const isNarrowed = Object.values(narrowing).some((value) => value !== undefined)
  const none = (
    <Notice
      icon={<IconCar size={32} />}
      title={t(isNarrowed ? 'placas.vazio.busca' : 'placas.vazio.titulo')}
      text={[
        t(isNarrowed ? 'placas.vazio.buscaTexto' : 'placas.vazio.texto'),
        leitura === 'com' ? t('placas.vazio.comPlaca') : '',
      ].join(' ')}
    />
  )
  return (
    <>
      <ListBody query={{ ...query, data: query.data && flattenPages(query.data.pages) }} none={none}>
        {(rows) => (
          <>
            <a
              className={classes.link}
              href={ownAddress(`/api/v1/passagens/exportar${searchOfPassagens(filtro, scope)}`)}
              download
            >
              <IconDownload size={18} aria-hidden="true" /> {t('placas.arquivo.baixarPassagens')}
            </a>
            <WindowedGrid label={t('placas.titulo')} rows={rows} keyOf={keyOf} cardPx={CARD_PX}>
              {(passagem) => (
                <PassagemCard
                  passagem={passagem}
                  onCorrect={() => setWrong(passagem)}
                  onPercurso={() => setFollowed(passagem)}
                />
              )}
            </WindowedGrid>
          </>
        )}
      </ListBody>
      {query.hasNextPage && (
        <More
          label={t('placas.mais')}
          loading={query.isFetchingNextPage}
          error={query.isFetchNextPageError ? query.error : null}
          onMore={() => void query.fetchNextPage()}
        />
      )}
      {followed?.placa && (
        <PercursoDialog placa={followed.placa} empresa={followed.empresa_id} onClose={() => setFollowed(null)} />
      )}
      {wrong && <CorrectPassagem passagem={wrong} onClose={() => setWrong(null)} />}
    </>
  )
}
