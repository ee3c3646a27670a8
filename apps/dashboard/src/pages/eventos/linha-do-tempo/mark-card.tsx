import { IconPhotoOff } from '@tabler/icons-react'
import { useLayoutEffect, useRef, useState } from 'react'
import { useServices } from '../../../session/services.ts'
import type { Entry } from './entries.ts'
import classes from './linha.module.css'

interface MarkCardProps {
  /** Place of the cursor as a share of the bar. */
  readonly share: number
  /** null: the cursor stands on no mark. */
  readonly entry: Entry | null
  readonly words: { readonly hora: string; readonly titulo: string; readonly estado: string } | null
  /** Time of the cursor. */
  readonly clock: string
}

/** Height of the navigation at the bottom of a phone, and of the gap, px. */
const BELOW_PX = 72

/** Picture, time and state of the mark at the cursor. Screen readers read the value of the bar. */
export function MarkCard({ share, entry, words, clock }: MarkCardProps) {
  const { ownAddress } = useServices()
  const card = useRef<HTMLDivElement>(null)
  const [isAbove, setAbove] = useState(false)
  // The height differs between marks with and without a picture.
  useLayoutEffect(() => {
    const bar = card.current?.parentElement?.getBoundingClientRect()
    if (bar && card.current) setAbove(bar.bottom + card.current.offsetHeight > window.innerHeight - BELOW_PX)
  })
  return (
    <div
      ref={card}
      className={classes.card}
      data-above={isAbove}
      style={{ ['--share' as string]: share }}
      aria-hidden="true"
    >
      {entry?.incidente && (
        <Picture key={entry.key} url={ownAddress(`/api/v1/crops/${entry.incidente.capa_evento_id}`)} />
      )}
      <strong>{words?.hora ?? clock}</strong>
      {words && (
        <>
          <span>{words.titulo}</span>
          <span className={classes.soft}>{words.estado}</span>
        </>
      )}
    </div>
  )
}

function Picture({ url }: { readonly url: string }) {
  const [failed, setFailed] = useState(false)
  return (
    <span className={classes.picture}>
      {failed ? <IconPhotoOff size={22} /> : <img src={url} alt="" decoding="async" onError={() => setFailed(true)} />}
    </span>
  )
}
