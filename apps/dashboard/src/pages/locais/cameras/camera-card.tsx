import { Switch } from '@mantine/core'
import { IconHistory, IconPencil, IconPlayerPlay, IconTrash } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { Camera } from '@vigia/contracts/cameras'
import type { Queda } from '@vigia/contracts/eventos'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { DownSince } from '../../../domains/eventos/quedas/queda-time.tsx'
import { LastFrame } from '../../../domains/locais/cameras/last-frame.tsx'
import { StatusTag } from '../../../domains/locais/cameras/status-tag.tsx'
import { useEmpresa } from '../../../session/use-empresa.ts'
import { formatNumber } from '../../../texts/locale.ts'
import {
  Card,
  CardAlarm,
  CardControls,
  CardFacts,
  CardHead,
  CardName,
  CardReason,
  CardSoft,
  CardViews,
} from '../../../ui/card.tsx'
import { CardButton, CardIcon } from '../../../ui/card-buttons.tsx'
import { useSwitchCamera } from './use-switch-camera.ts'

export interface CameraCardProps {
  readonly camera: Camera
  readonly mayWrite: boolean
  readonly showEmpresa: boolean
  /** Its open queda. */
  readonly queda: Queda | null
  readonly onLive: () => void
  readonly onHistory: () => void
  readonly onEdit: () => void
  readonly onRemove: () => void
}

/** Card of one camera: status, reason of a failure, video data and the controls of an administrator. */
export function CameraCard(props: CameraCardProps) {
  const { camera, mayWrite, showEmpresa, queda, onLive, onHistory, onEdit, onRemove } = props
  const { t } = useTranslation()
  const { nome: empresa, fuso } = useEmpresa(camera.empresa_id)
  const video = [
    camera.resolucao?.replace('x', ' × '),
    rate(camera.fps, t),
    camera.codec && codecName(camera.codec),
  ].filter(Boolean)
  return (
    <Card data-status={camera.status} aria-label={camera.nome}>
      <CardHead>
        <CardName>
          <Link to="/cameras/$id" params={{ id: String(camera.id) }}>
            {camera.nome}
          </Link>
        </CardName>
        <StatusTag status={camera.status} />
      </CardHead>
      {showEmpresa && empresa && <CardSoft>{empresa}</CardSoft>}
      {camera.status_detalhe && <CardReason>{camera.status_detalhe}</CardReason>}
      {queda && (
        <CardAlarm>
          <DownSince queda={queda} fuso={fuso} />
        </CardAlarm>
      )}
      <CardFacts as="div">
        <p>{video.length > 0 ? video.join(' · ') : t('cameras.semDados')}</p>
        <LastFrame camera={camera} />
      </CardFacts>
      <CardViews>
        {camera.ativa && (
          <CardButton
            variant="default"
            icon={IconPlayerPlay}
            label={t('cameras.aoVivoRotulo', { nome: camera.nome })}
            onClick={onLive}
          >
            {t('cameras.aoVivo')}
          </CardButton>
        )}
        <CardButton icon={IconHistory} label={t('cameras.historicoRotulo', { nome: camera.nome })} onClick={onHistory}>
          {t('cameras.historico')}
        </CardButton>
      </CardViews>
      {mayWrite && (
        <CardControls>
          <ActiveSwitch camera={camera} />
          <CardIcon
            atEnd
            icon={IconPencil}
            label={t('cameras.editarRotulo', { nome: camera.nome })}
            title={t('cameras.editar')}
            onClick={onEdit}
          />
          <CardIcon
            icon={IconTrash}
            label={t('cameras.removerRotulo', { nome: camera.nome })}
            title={t('cameras.remover')}
            onClick={onRemove}
          />
        </CardControls>
      )}
    </Card>
  )
}

function rate(fps: number | null, t: TFunction<'pagina'>): string | null {
  if (fps === null) return null
  return t('cameras.fps', { valor: formatNumber(fps, { maximumFractionDigits: 1 }) })
}

/** Codec names as makers print them: H.264 for `h264`, H.265 for `hevc`. */
const codecName = (codec: string): string =>
  codec
    .toUpperCase()
    .replace(/^HEVC$/, 'H265')
    .replace(/^H(\d)/, 'H.$1')

function ActiveSwitch({ camera }: { camera: Camera }) {
  const { t } = useTranslation()
  const { mutate, isPending, failure } = useSwitchCamera(camera)
  return (
    <Switch
      label={t('cameras.ativa')}
      aria-label={t('cameras.ativaRotulo', { nome: camera.nome })}
      checked={camera.ativa}
      disabled={isPending}
      error={failure}
      onChange={(event) => mutate(event.currentTarget.checked)}
    />
  )
}
