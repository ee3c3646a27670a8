import { Skeleton } from '@mantine/core'
import { IconCircleCheck, IconCircleX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { Prova } from '@vigia/contracts/provas'
import { useTranslation } from 'react-i18next'
import { formatDuration, formatFull } from '../../../base/tempo/format-time.ts'
import { useServices } from '../../../session/services.ts'
import { useEmpresa } from '../../../session/use-empresa.ts'
import { textsOfIa } from '../../../texts/ia-texts.ts'
import { Failure } from '../../../ui/failure.tsx'
import { Soft } from '../../../ui/page.tsx'
import classes from './camera.module.css'
import { PROVAS, provasQuery } from './camera-queries.ts'
import { ProvaOutcome } from './prova-outcome.tsx'

/** The stored walk tests of a camera, newest first. */
export function ProvaList({ cameraId }: { cameraId: number }) {
  const { t } = useTranslation()
  const { api } = useServices()
  const { data, error, refetch } = useQuery(provasQuery(api, cameraId))
  if (error && !data) return <Failure error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton height={60} radius="md" aria-busy="true" />
  if (data.length === 0) return <Soft>{t('camera.prova.nenhuma')}</Soft>
  return (
    <>
      <ul className={classes.changes} aria-label={t('camera.prova.registros')}>
        {data.map((prova) => (
          <ProvaItem key={prova.id} prova={prova} />
        ))}
      </ul>
      {data.length === PROVAS && <Soft>{t('camera.prova.limite', { total: PROVAS })}</Soft>}
    </>
  )
}

function ProvaItem({ prova }: { prova: Prova }) {
  const { t } = useTranslation()
  const { fuso } = useEmpresa(prova.empresa_id)
  const Icon = prova.aprovada ? IconCircleCheck : IconCircleX
  const duracao = formatDuration(Date.parse(prova.fim) - Date.parse(prova.inicio))
  const facts = [
    t(`camera.prova.alcance.${prova.alcance}`),
    prova.eventos.length > 0 && t('camera.prova.eventos', { count: prova.eventos.length }),
    prova.tela_ms !== null && t('camera.prova.naTela', { tempo: formatDuration(prova.tela_ms) }),
    prova.zonas.length > 0 &&
      t('camera.prova.zonas', {
        lista: prova.zonas.map((zona) => prova.configuracao.nomes_zonas[zona] ?? String(zona + 1)).join(', '),
      }),
  ].filter(Boolean)
  return (
    <li data-kind={prova.aprovada ? 'liga' : 'desliga'}>
      <p>
        <Icon size={17} aria-hidden="true" />{' '}
        <strong>{t(prova.aprovada ? 'camera.prova.foiAprovada' : 'camera.prova.foiReprovada')}</strong> ·{' '}
        <time dateTime={prova.fim}>{formatFull(prova.fim, fuso)}</time> · {prova.feita_por} · {duracao}
      </p>
      <ProvaOutcome prova={prova} />
      <p>{facts.join(' · ')}</p>
      <Soft>
        {t('camera.prova.vigiava', { ias: prova.configuracao.ias.map((ia) => textsOfIa(ia).titulo).join(', ') || '–' })}
      </Soft>
      {prova.nota && <p>{prova.nota}</p>}
    </li>
  )
}
