import type { Camera } from '@vigia/contracts/cameras'
import type { Gravidade } from '@vigia/contracts/ias'
import { useTranslation } from 'react-i18next'
import { SeverityTag } from '../../../domains/eventos/alertas/severity-tag.tsx'
import { SilenceMark } from '../../../domains/eventos/incidentes/silence-mark.tsx'
import type { Mosaic } from '../../../domains/video/aovivo/mosaic.ts'
import { useEmpresa } from '../../../session/use-empresa.ts'
import { useVisible } from '../../../ui/use-visible.ts'
import classes from './large-tile.module.css'
import { TilePicture } from './tile.tsx'

interface LargeTileProps {
  readonly camera: Camera
  readonly mosaic: Mosaic
  readonly gravidade: Gravidade | null
}

/** The large slot: always in the same position, with another camera for another incidente. */
export function LargeTile({ camera, mosaic, gravidade }: LargeTileProps) {
  const isVisible = useVisible()
  const { t } = useTranslation()
  const { fuso } = useEmpresa(camera.empresa_id)
  return (
    <figure className={classes.large} data-gravidade={gravidade ?? undefined}>
      <div className={classes.screen}>
        <TilePicture
          key={camera.id}
          camera={camera}
          mosaic={mosaic}
          alt={t('plantao.camera.imagem', { nome: camera.nome })}
          live={isVisible ? 'aberta' : null}
        />
      </div>
      <figcaption className={classes.caption}>
        <strong title={camera.nome}>{camera.nome}</strong>
        {gravidade && <SeverityTag gravidade={gravidade} />}
        {camera.silencio && <SilenceMark silencio={camera.silencio} fuso={fuso} />}
      </figcaption>
    </figure>
  )
}
