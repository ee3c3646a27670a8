import { Link } from '@tanstack/react-router'
import type { Camera } from '@vigia/contracts/cameras'
import type { Queda } from '@vigia/contracts/eventos'
import { memo } from 'react'
import { DownSince } from '../../../domains/eventos/quedas/queda-time.tsx'
import { StatusTag } from '../../../domains/locais/cameras/status-tag.tsx'
import type { Mosaic } from '../../../domains/video/aovivo/mosaic.ts'
import { StillPicture } from '../../../domains/video/aovivo/still-picture.tsx'
import { useEmpresa } from '../../../session/use-empresa.ts'
import classes from './camera-card.module.css'

interface CameraCardProps {
  readonly camera: Camera
  readonly mosaic: Mosaic
  /** Its open queda. */
  readonly queda: Queda | null
}

/** Picture, name and state of a camera. The whole card is the link to its page. */
export const CameraCard = memo(({ camera, mosaic, queda }: CameraCardProps) => {
  const { id, nome, status, status_detalhe: reason } = camera
  const { fuso } = useEmpresa(camera.empresa_id)
  return (
    <article className={classes.card} data-status={status} aria-label={nome}>
      <div className={classes.screen}>
        <StillPicture camera={camera} mosaic={mosaic} alt="" />
      </div>
      <Link to="/cameras/$id" params={{ id: String(id) }} className={classes.name} title={nome}>
        {nome}
      </Link>
      <p className={classes.state} title={reason ?? undefined}>
        <StatusTag status={status} />
        <span>{reason ?? (queda && <DownSince queda={queda} fuso={fuso} />)}</span>
      </p>
    </article>
  )
})
