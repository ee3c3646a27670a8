import { Link } from '@tanstack/react-router'
import type { Camera } from '@vigia/contracts/cameras'
import type { Queda } from '@vigia/contracts/eventos'
import type { TFunction } from 'i18next'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { openQuedaOf } from '../../../api/queda-list.ts'
import { DownSince } from '../../../domains/eventos/quedas/queda-time.tsx'
import { LastFrame } from '../../../domains/locais/cameras/last-frame.tsx'
import { StatusTag } from '../../../domains/locais/cameras/status-tag.tsx'
import { useEmpresa } from '../../../session/use-empresa.ts'
import { formatNumber } from '../../../texts/locale.ts'
import { RecordTable } from '../../../ui/record-table.tsx'
import type { CameraGroup } from './group-cameras.ts'

interface CameraTableProps {
  readonly groups: readonly CameraGroup[]
  /** Open quedas. */
  readonly quedas: readonly Queda[]
}

interface Entry {
  readonly camera: Camera
  readonly group: CameraGroup
}

const keyOf = ({ camera }: Entry) => camera.id

/** The cameras as a table, with more facts than the grid of pictures. */
export function CameraTable({ groups, quedas }: CameraTableProps) {
  const { t } = useTranslation()
  const entries = useMemo(() => groups.flatMap((group) => group.cameras.map((camera) => ({ camera, group }))), [groups])
  const isGrouped = groups.some(({ nome }) => nome !== null)
  const group = ['group', t('cameras.tabela.local')] as const
  return (
    <RecordTable
      label={t('cameras.titulo')}
      columns={[
        ['nome', t('cameras.formulario.nome')],
        ...(isGrouped ? [group] : []),
        ['status', t('cameras.tabela.situacao')],
        ['motivo', t('cameras.tabela.motivo')],
        ['video', t('cameras.tabela.video')],
        ['imagem', t('cameras.tabela.imagem')],
      ]}
      rows={entries}
      keyOf={keyOf}
    >
      {({ camera, group: { nome } }) => (
        <>
          <th scope="row">
            <Link to="/cameras/$id" params={{ id: String(camera.id) }}>
              {camera.nome}
            </Link>
          </th>
          {isGrouped && <td>{nome}</td>}
          <td>
            <StatusTag status={camera.status} />
          </td>
          <td>
            <Reason camera={camera} queda={openQuedaOf(quedas, camera.id)} />
          </td>
          <td>{videoOf(camera, t)}</td>
          <td>
            <LastFrame camera={camera} />
          </td>
        </>
      )}
    </RecordTable>
  )
}

function Reason({ camera, queda }: { camera: Camera; queda: Queda | null }) {
  const { fuso } = useEmpresa(camera.empresa_id)
  return camera.status_detalhe ?? (queda && <DownSince queda={queda} fuso={fuso} />)
}

function videoOf({ resolucao, fps, codec }: Camera, t: TFunction<'pagina'>): string {
  const rate = fps === null ? null : t('cameras.fps', { valor: formatNumber(fps, { maximumFractionDigits: 1 }) })
  return [resolucao?.replace('x', ' × '), rate, codec && codecName(codec)].filter(Boolean).join(' · ')
}

/** Codec names as makers print them: H.264 for `h264`, H.265 for `hevc`. */
const codecName = (codec: string): string =>
  codec
    .toUpperCase()
    .replace(/^HEVC$/, 'H265')
    .replace(/^H(\d)/, 'H.$1')
