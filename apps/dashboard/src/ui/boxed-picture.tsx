import { type ReactNode, useState } from 'react'
import classes from './boxed-picture.module.css'
import { styled } from './styled.ts'

/** Area of a picture; its size never depends on the picture. */
export const PictureArea = styled('div', classes.area)

/** Sentence in place of a missing picture. */
export const NoPicture = styled('div', classes.none)

/** Rectangle in shares of the picture, 0–1. */
interface Rectangle {
  readonly x: number
  readonly y: number
  readonly w: number
  readonly h: number
}

interface BoxedPictureProps {
  readonly src: string
  readonly alt: string
  readonly rectangles: readonly Rectangle[]
  /** Points of an area, as the attribute of a polygon; null: none. */
  readonly outline?: string | null
  /** Points of a path; null: none. */
  readonly path?: string | null
  readonly onError?: () => void
  /** Shown on the picture. */
  readonly children?: ReactNode
}

/** Whole picture in a `PictureArea`, with boxes, an area and a path drawn on it. */
export function BoxedPicture({
  src,
  alt,
  rectangles,
  outline = null,
  path = null,
  onError,
  children,
}: BoxedPictureProps) {
  /** Width divided by height; null: not loaded yet. */
  const [shape, setShape] = useState<number | null>(null)
  return (
    <div className={classes.frame} style={shape === null ? undefined : { ['--shape' as string]: shape }}>
      <img
        className={classes.whole}
        src={src}
        alt={alt}
        decoding="async"
        onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) => setShape(naturalWidth / naturalHeight)}
        onError={onError}
      />
      {shape !== null && <Drawing rectangles={rectangles} outline={outline} path={path} />}
      {children}
    </div>
  )
}

/** The boxes are right at the time of the event only, s before and after it. */
const SEEN_S = 1.5

interface BoxedClipProps extends Pick<BoxedPictureProps, 'rectangles' | 'outline' | 'onError'> {
  readonly src: string
  readonly label: string
  /** Time of the event after the first picture; null: not known, and no box is drawn. */
  readonly seenAtMs: number | null
}

/** A clip that repeats without sound, in a `PictureArea`. Its boxes are drawn while it shows the event. */
export function BoxedClip({ src, label, seenAtMs, rectangles, outline = null, onError }: BoxedClipProps) {
  const [shape, setShape] = useState<number | null>(null)
  const [isSeen, setSeen] = useState(false)
  return (
    <div className={classes.frame} style={shape === null ? undefined : { ['--shape' as string]: shape }}>
      <video
        className={classes.whole}
        src={src}
        aria-label={label}
        autoPlay
        loop
        muted
        playsInline
        onLoadedMetadata={({ currentTarget: { videoWidth, videoHeight } }) =>
          setShape(videoHeight > 0 ? videoWidth / videoHeight : null)
        }
        onTimeUpdate={({ currentTarget: { currentTime } }) =>
          setSeen(seenAtMs !== null && Math.abs(currentTime - seenAtMs / 1000) <= SEEN_S)
        }
        onError={onError}
      />
      {shape !== null && <Drawing rectangles={isSeen ? rectangles : []} outline={outline} path={null} />}
    </div>
  )
}

function Drawing({
  rectangles,
  outline,
  path,
}: Pick<BoxedPictureProps, 'rectangles'> & { readonly outline: string | null; readonly path: string | null }) {
  return (
    <svg viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true">
      {outline !== null && <polygon points={outline} />}
      {path !== null && <polyline points={path} />}
      {rectangles.map(({ x, y, w, h }, index) => (
        // Rectangles have no id and never change, so that their index is a stable key.
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        <rect key={index} x={x} y={y} width={w} height={h} />
      ))}
    </svg>
  )
}

/** The whole picture without drawings. */
export const PlainPicture = ({ src, alt, onError }: Pick<BoxedPictureProps, 'src' | 'alt' | 'onError'>) => (
  <img className={classes.whole} src={src} alt={alt} onError={onError} />
)
