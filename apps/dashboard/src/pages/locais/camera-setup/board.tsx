import { useElementSize } from '@mantine/hooks'
import type { Caixa } from '@vigia/contracts/eventos'
import { type ReactNode, useState } from 'react'
import { useCamera } from '../../../domains/locais/cameras/use-camera.tsx'
import { LiveScreen } from '../../../domains/video/aovivo/live-screen.tsx'
import type { FrameDetections } from '../../../domains/video/aovivo/mjpeg-parser.ts'
import { useLabelName } from '../../../texts/label-name.ts'
import classes from './board.module.css'

/** Size of a board on the screen, CSS pixels. */
export interface BoardSize {
  readonly width: number
  readonly height: number
}

export interface BoardProps {
  /** Query of the live picture (`?fps=4`). */
  readonly view?: string
  /** Receives the detections of each frame, also those that are not drawn. */
  readonly onDetections?: (detections: FrameDetections) => void
  /** Boxes to draw. */
  readonly detections?: FrameDetections
  /** Drawn over the picture, in CSS pixels of the board. */
  readonly children?: (size: BoardSize) => ReactNode
}

/** Width and height of the camera's stream; 16:9 until they are known. */
function ratioOf(resolucao: string | null): number {
  const [width = 0, height = 0] = (resolucao ?? '').split('x').map(Number)
  return width > 0 && height > 0 ? width / height : 16 / 9
}

/** The live picture in its own proportions, so that a fraction of the board is the same fraction of the frame. */
export function Board({ view = '?lado=960&fps=4', onDetections, detections = null, children }: BoardProps) {
  const camera = useCamera()
  const [ratio, setRatio] = useState(() => ratioOf(camera.resolucao))
  const { ref, width, height } = useElementSize<HTMLDivElement>()
  return (
    <div
      ref={ref}
      className={classes.board}
      style={{ aspectRatio: String(ratio), width: `min(100%, calc(70vh * ${ratio}))` }}
    >
      <LiveScreen camera={camera} view={view} onDetections={onDetections} onSize={(w, h) => setRatio(w / h)} />
      {width > 0 && (
        <>
          <DetectionLayer detections={detections} size={{ width, height }} />
          {children?.({ width, height })}
        </>
      )}
    </div>
  )
}

/** Boxes have no id, and each frame replaces all of them. */
const keyOf = ({ rotulo }: Caixa, index: number) => `${index}-${rotulo}`

function DetectionLayer({ detections, size: { width, height } }: { detections: FrameDetections; size: BoardSize }) {
  const name = useLabelName()
  if (detections === null || detections.length === 0) return null
  return (
    <svg className={classes.layer} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      {detections.map((detection, index) => (
        <g key={keyOf(detection, index)}>
          <rect
            className={classes.detected}
            x={detection.x * width}
            y={detection.y * height}
            width={detection.w * width}
            height={detection.h * height}
          />
          <text className={classes.label} x={detection.x * width + 3} y={Math.max(14, detection.y * height - 5)}>
            {name(detection.rotulo)}
          </text>
        </g>
      ))}
    </svg>
  )
}
