import { type ReactNode, useEffect, useRef } from 'react'
import classes from '../cameras/camera-dialog.module.css'
import { CameraDialog, type CameraDialogProps } from '../cameras/camera-dialog.tsx'
import type { ApiForm } from './use-api-form.ts'

export interface FormDialogProps<Field extends string> extends Omit<CameraDialogProps, 'failure' | 'onSubmit'> {
  readonly form: ApiForm<Field>
  readonly onSubmit: (values: Record<Field, string>) => void
  readonly children: ReactNode
}

/** A dialog with the fields of a form. */
export function FormDialog<Field extends string>({ form, onSubmit, children, ...dialog }: FormDialogProps<Field>) {
  const fields = useRef<HTMLDivElement>(null)
  const { refusals } = form
  // After an error the focus moves to the first invalid field, but not during its correction.
  useEffect(() => {
    if (refusals > 0) fields.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [refusals])
  return (
    <CameraDialog {...dialog} failure={form.failure} onSubmit={() => form.submit(onSubmit)}>
      <div className={classes.fields} ref={fields}>
        {children}
      </div>
    </CameraDialog>
  )
}
