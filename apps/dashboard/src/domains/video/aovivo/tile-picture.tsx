import type { Camera } from '@vigia/contracts/cameras'
import { lazy, Suspense } from 'react'
import type { Mosaic } from './mosaic.ts'
import { StillPicture } from './still-picture.tsx'

/** Loaded when the first picture goes live. */
const LiveTile = lazy(() => import('./live-tile.tsx'))

interface TilePictureProps {
  readonly camera: Camera
  readonly mosaic: Mosaic
  readonly alt: string
  /** Priority of its live video; null: only the still. */
  readonly live: 'aberta' | 'mosaico' | null
}

/** The still of a camera, and live video over it. */
export function TilePicture({ live, ...still }: TilePictureProps) {
  return (
    <>
      <StillPicture {...still} />
      {live && still.camera.status === 'online' && (
        <Suspense>
          <LiveTile camera={still.camera} prioridade={live} />
        </Suspense>
      )}
    </>
  )
}
