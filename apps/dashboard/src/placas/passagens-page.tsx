import { Button, NativeSelect, TextInput } from '@mantine/core'
import { IconCar, IconDownload, IconLock } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useRouteContext, useSearch } from '@tanstack/react-router'
import { type Passagem, type SituacaoPlaca, situacoesPlaca } from '@vigia/contracts/passagens'
import { normalizePlaca } from '@vigia/contracts/placas'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { PASSAGENS, passagensQuery } from '../api/placas-queries.ts'
import { query } from '../api/queries.ts'
import auditoria from '../auditoria/auditoria.module.css'
import page from '../cameras/cameras-page.module.css'
import { CamerasSkeleton } from '../cameras/cameras-skeleton.tsx'
import { Failure } from '../painel/failure.tsx'
import { Notice } from '../painel/notice.tsx'
import { usePageTitle } from '../painel/use-page-title.ts'
import { useServices } from '../services.ts'
import { CorrectPassagem } from './correct-passagem.tsx'
import { PassagemCard } from './passagem-card.tsx'
import { PercursoDialog } from './percurso-dialog.tsx'
import classes from './placas.module.css'

/** Vehicles that cameras with plate reading have seen, newest first. */
export function PassagensPage() {
  const { t } = useTranslation()
  const { me } = useRouteContext({ from: '/painel' })
  const [typed, setTyped] = useState('')
  const [placa, setPlaca] = useState('')
  const [situacao, setSituacao] = useState<SituacaoPlaca | ''>('')
  usePageTitle(t('placas.titulo'))
  if (!me.ve_placas) return <Notice icon={<IconLock size={32} />} title={t('placas.so')} />
  const wanted = normalizePlaca(typed)
  const isPattern = /^[A-Z0-9*]{0,8}$/.test(wanted)
  return (
    <>
      <div className={page.top}>
        <h1>{t('placas.titulo')}</h1>
        <div className={page.add}>
          <Link to="/presentes" className={classes.link}>
            {t('placas.presentes.titulo')}
          </Link>
          <Link to="/placas" className={classes.link}>
            {t('placas.listas.titulo')}
          </Link>
        </div>
      </div>
      <form
        className={classes.filters}
        onSubmit={(event) => {
          event.preventDefault()
          if (isPattern) setPlaca(wanted)
        }}
      >
        <TextInput
          label={t('placas.filtro.placa')}
          description={t('placas.filtro.ajuda')}
          placeholder={t('placas.filtro.exemplo')}
          value={typed}
          error={isPattern ? undefined : t('placas.filtro.erro')}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <NativeSelect
          label={t('placas.filtro.situacao')}
          value={situacao}
          onChange={(event) => setSituacao(event.currentTarget.value as SituacaoPlaca | '')}
          data={[
            { value: '', label: t('placas.filtro.todas') },
            ...situacoesPlaca.map((value) => ({ value, label: t(`placas.situacao.${value}`) })),
          ]}
        />
        <Button type="submit" variant="default">
          {t('placas.filtro.buscar')}
        </Button>
      </form>
      <Passagens placa={placa} situacao={situacao} />
    </>
  )
}

function Passagens({ placa, situacao }: { placa: string; situacao: SituacaoPlaca | '' }) {
  const { t } = useTranslation()
  const { api } = useServices()
  const { empresa } = useSearch({ from: '/painel' })
  const [wrong, setWrong] = useState<Passagem | null>(null)
  const [followed, setFollowed] = useState<Passagem | null>(null)
  const filter = { empresa: empresa ?? null, placa: placa || null, situacao: situacao || null }
  const { data, error, refetch } = useQuery(passagensQuery(api, filter))
  if (error && !data) return <Failure error={error} onRetry={() => void refetch()} />
  if (!data) return <CamerasSkeleton />
  if (data.length === 0)
    return (
      <Notice
        icon={<IconCar size={32} />}
        title={t(placa || situacao ? 'placas.vazio.busca' : 'placas.vazio.titulo')}
        text={t(placa || situacao ? 'placas.vazio.buscaTexto' : 'placas.vazio.texto')}
      />
    )
  const search = query({ empresa_id: filter.empresa, placa: filter.placa, situacao: filter.situacao })
  return (
    <>
      <a className={classes.link} href={`/api/v1/passagens/exportar${search}`} download>
        <IconDownload size={18} aria-hidden="true" /> {t('placas.arquivo.baixarPassagens')}
      </a>
      <ul className={page.list} aria-label={t('placas.titulo')}>
        {data.map((passagem) => (
          <li key={passagem.id}>
            <PassagemCard
              passagem={passagem}
              onCorrect={() => setWrong(passagem)}
              onPercurso={() => setFollowed(passagem)}
            />
          </li>
        ))}
      </ul>
      {followed?.placa && (
        <PercursoDialog placa={followed.placa} empresa={followed.empresa_id} onClose={() => setFollowed(null)} />
      )}
      {wrong && <CorrectPassagem passagem={wrong} onClose={() => setWrong(null)} />}
      {data.length >= PASSAGENS && <p className={auditoria.soft}>{t('placas.limite', { total: PASSAGENS })}</p>}
    </>
  )
}
