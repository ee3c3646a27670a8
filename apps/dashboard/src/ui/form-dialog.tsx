import type { ReactNode } from 'react'
import classes from './camera-dialog.module.css'
import { CameraDialog, type CameraDialogProps } from './camera-dialog.tsx'
import type { ApiForm } from './use-api-form.ts'
import { useFocusInvalid } from './use-focus-invalid.ts'

export interface FormDialogProps<Field extends string> extends Omit<CameraDialogProps, 'failure' | 'onSubmit'> {
  readonly form: ApiForm<Field>
  readonly onSubmit: (values: Record<Field, string>) => void
  readonly children: ReactNode
}

/** A dialog with the fields of a form. */
export function FormDialog<Field extends string>({ form, onSubmit, children, ...dialog }: FormDialogProps<Field>) {
  const fields = useFocusInvalid<HTMLDivElement>(form.refusals)
  return (
    <CameraDialog {...dialog} failure={form.failure} onSubmit={() => form.submit(onSubmit)}>
      <div className={classes.fields} ref={fields}>
        {children}
      </div>
    </CameraDialog>
  )
}
