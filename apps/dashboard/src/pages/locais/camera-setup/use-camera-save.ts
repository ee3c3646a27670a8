import { useMutation } from '@tanstack/react-query'
import type { Camera } from '@vigia/contracts/cameras'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { putCamera } from '../../../domains/locais/cameras/put-camera.ts'
import { useCamera } from '../../../domains/locais/cameras/use-camera.tsx'
import { useServices } from '../../../session/services.ts'
import { useAnnounce } from '../../../ui/announcer.tsx'
import { formErrors } from '../../../ui/form-errors.ts'
import { type CameraChange, type CameraPart, differs, type EditedField, saveCamera } from './save-camera.ts'

export interface CameraSave {
  /** The camera on which the editor is based. */
  readonly opened: Camera
  /** The camera with the same fields changed by another login; null: none. */
  readonly theirs: Camera | null
  readonly busy: boolean
  readonly failure: string | null
  save(patch: CameraChange): void
  /** Stores the change over `theirs`. */
  overwrite(patch: CameraChange): void
  /** Continues with the stored camera. Returns it. */
  adopt(): Camera
}

/** Saves some fields of the camera of the page, and detects that another login changed them. */
export function useCameraSave(fields: readonly EditedField[], part?: CameraPart): CameraSave {
  const { t } = useTranslation()
  const { api, queries } = useServices()
  const announce = useAnnounce()
  const current = useCamera()
  const [opened, setOpened] = useState(current)
  const change = useMutation({
    mutationFn: ({ base, patch }: { base: Camera; patch: CameraChange }) => saveCamera(api, base, patch, part),
    onSuccess({ kind, camera }) {
      putCamera(queries, camera)
      if (kind === 'changed') return
      setOpened(camera)
      announce(t('cameras.anuncio.salva', { nome: camera.nome }))
    },
  })
  const theirs = current.atualizada_em > opened.atualizada_em && differs(opened, current, fields) ? current : null
  return {
    opened,
    theirs,
    busy: change.isPending,
    failure: change.error ? formErrors(change.error, []).general : null,
    save: (patch) => change.mutate({ base: opened, patch }),
    overwrite: (patch) => change.mutate({ base: current, patch }),
    adopt() {
      setOpened(current)
      change.reset()
      return current
    },
  }
}
