import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useAnnounce } from '../ui/announcer.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { formErrors } from '../ui/form-errors.ts'
import { useServices } from './services.ts'

export interface ConfirmRemovalProps {
  readonly title: string
  readonly submit: string
  /** Path of the removed record below /api/v1. */
  readonly path: string
  /** Read out after the removal. */
  readonly announcement: string
  /** Takes the record out of the cached lists. */
  readonly onRemoved: () => void
  readonly onClose: () => void
  readonly children: ReactNode
}

/** Asks before a record is removed, and removes it. */
export function ConfirmRemoval({ path, announcement, onRemoved, onClose, ...dialog }: ConfirmRemovalProps) {
  const { api } = useServices()
  const announce = useAnnounce()
  const removal = useMutation({
    mutationFn: () => api.remove(path),
    onSuccess() {
      onRemoved()
      announce(announcement)
      onClose()
    },
  })
  return (
    <Dialog
      danger
      {...dialog}
      busy={removal.isPending}
      failure={removal.error ? formErrors(removal.error, []).general : null}
      onClose={onClose}
      onSubmit={() => removal.mutate()}
    />
  )
}
