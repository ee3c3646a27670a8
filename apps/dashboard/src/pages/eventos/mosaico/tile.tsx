import { IconBellOff } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { Camera } from '@vigia/contracts/cameras'
import type { Gravidade } from '@vigia/contracts/ias'
import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import { formatClockMinute } from '../../../base/tempo/format-time.ts'
import { SeverityTag } from '../../../domains/eventos/alertas/severity-tag.tsx'
import type { Mosaic } from '../../../domains/video/aovivo/mosaic.ts'
import { TilePicture } from '../../../domains/video/aovivo/tile-picture.tsx'
import { useEmpresa } from '../../../session/use-empresa.ts'
import classes from './tile.module.css'

interface TileProps {
  readonly camera: Camera
  readonly mosaic: Mosaic
  /** Priority of its live video; null: only the still. */
  readonly live: 'aberta' | 'mosaico' | null
  /** The login sees several Empresas. */
  readonly namesEmpresa: boolean
  /** Highest severity of its unanswered incidentes; null: none. */
  readonly gravidade: Gravidade | null
}

/** One camera of the mosaic, with its customer; a link to its page. */
export const Tile = memo(({ camera, mosaic, live, namesEmpresa, gravidade }: TileProps) => {
  const { t } = useTranslation()
  const { nome: empresa, fuso } = useEmpresa(camera.empresa_id)
  const { id, nome, silencio } = camera
  const name = namesEmpresa && empresa !== null ? `${empresa} · ${nome}` : nome
  return (
    <Link
      to="/cameras/$id"
      params={{ id: String(id) }}
      className={classes.tile}
      data-gravidade={gravidade ?? undefined}
      title={t('plantao.camera.abrir', { nome: name })}
    >
      <span className={classes.screen}>
        <TilePicture camera={camera} mosaic={mosaic} alt={t('plantao.camera.imagem', { nome })} live={live} />
        {gravidade && <SeverityTag gravidade={gravidade} className={classes.severity} />}
      </span>
      <span className={classes.name}>
        <span>{name}</span>
        {silencio && (
          <IconBellOff
            size={15}
            role="img"
            aria-label={t('plantao.camera.silenciada', {
              hora: formatClockMinute(silencio.ate, fuso),
              por: silencio.por,
            })}
          />
        )}
      </span>
    </Link>
  )
})
