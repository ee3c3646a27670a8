import { Button } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'

interface NeighboursProps {
  /** Ids of the records before and after this one; null: none. */
  readonly older: number | null
  readonly newer: number | null
  readonly olderText: string
  readonly newerText: string
  readonly onOpen: (id: number | null) => void
}

/** Moves to the record before or after, also by the arrow keys. */
export function Neighbours({ older, newer, olderText, newerText, onOpen }: NeighboursProps) {
  return (
    <div style={{ display: 'flex', flexWrap: 'wrap', gap: '0.5rem' }}>
      <Button
        variant="default"
        size="sm"
        aria-keyshortcuts="ArrowLeft"
        leftSection={<IconChevronLeft size={16} aria-hidden="true" />}
        disabled={older === null}
        onClick={() => onOpen(older)}
      >
        {olderText}
      </Button>
      <Button
        variant="default"
        size="sm"
        aria-keyshortcuts="ArrowRight"
        rightSection={<IconChevronRight size={16} aria-hidden="true" />}
        disabled={newer === null}
        onClick={() => onOpen(newer)}
      >
        {newerText}
      </Button>
    </div>
  )
}
