import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Camera } from '@vigia/contracts/cameras'
import type { LacunaVista } from '@vigia/contracts/eventos'
import { useTranslation } from 'react-i18next'
import { lacunasQuery } from '../../../api/queries.ts'
import { type Fuso, formatMoment } from '../../../base/tempo/format-time.ts'
import { useNow } from '../../../base/tempo/use-now.ts'
import { useServices } from '../../../session/services.ts'
import { useEmpresa } from '../../../session/use-empresa.ts'
import { Failure } from '../../../ui/failure.tsx'
import { Soft } from '../../../ui/page.tsx'
import { RecordList } from '../../../ui/record.tsx'
import classes from './lacuna-list.module.css'
import { countMissing, missingCount, newestLacunaFirst } from './lacunas.ts'

/** The missing events of a camera with their reasons. */
export function Lacunas({ camera }: { camera: Camera }) {
  const { t } = useTranslation()
  const { api } = useServices()
  const { fuso } = useEmpresa(camera.empresa_id)
  const { data, error, refetch } = useQuery(lacunasQuery(api, camera.id))
  if (error && !data) return <Failure error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton height={60} radius="md" />
  if (data.length === 0) return <Soft>{t('cameras.faltas.nenhuma')}</Soft>
  const { lost, arriving } = countMissing(data)
  return (
    <>
      <p>
        {[
          lost > 0 && t('cameras.faltas.perdidos', { count: lost }),
          arriving > 0 && t('cameras.faltas.chegando', { count: arriving }),
        ]
          .filter(Boolean)
          .join(' ')}
      </p>
      <RecordList aria-label={t('cameras.faltas.titulo')}>
        {[...data].sort(newestLacunaFirst).map((lacuna) => (
          <LacunaItem key={lacuna.id} lacuna={lacuna} fuso={fuso} />
        ))}
      </RecordList>
    </>
  )
}

function LacunaItem({ lacuna, fuso }: { lacuna: LacunaVista; fuso: Fuso }) {
  const { t } = useTranslation()
  const now = useNow()
  const count = missingCount(lacuna)
  const arriving = lacuna.motivo === 'a_caminho'
  const when = (iso: string) => formatMoment(iso, now, fuso)
  return (
    <li className={classes.lacuna} data-arriving={arriving || undefined}>
      <p className={classes.count}>
        {count === null ? t('cameras.faltas.semNumero') : t('cameras.faltas.eventos', { count })}
        {arriving && <span className={classes.tag}>{t('cameras.faltas.aCaminho')}</span>}
      </p>
      <p>{lacuna.motivo_texto}</p>
      <Soft>
        {lacuna.ocorrido_de && lacuna.ocorrido_ate
          ? t('cameras.faltas.periodo', { de: when(lacuna.ocorrido_de), ate: when(lacuna.ocorrido_ate) })
          : t('cameras.faltas.registrada', { quando: when(lacuna.registrada_em) })}
      </Soft>
    </li>
  )
}
