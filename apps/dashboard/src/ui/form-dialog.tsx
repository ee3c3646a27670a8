import type { ReactNode } from 'react'
import { Dialog, type DialogProps } from './dialog.tsx'
import { Fields } from './fields.tsx'
import type { ApiForm } from './use-api-form.ts'
import { useFocusInvalid } from './use-focus-invalid.ts'

export interface FormDialogProps<Field extends string> extends Omit<DialogProps, 'failure' | 'onSubmit'> {
  readonly form: ApiForm<Field>
  readonly onSubmit: (values: Record<Field, string>) => void
  readonly children: ReactNode
}

/** A dialog with the fields of a form. */
export function FormDialog<Field extends string>({ form, onSubmit, children, ...dialog }: FormDialogProps<Field>) {
  const fields = useFocusInvalid<HTMLDivElement>(form.refusals)
  return (
    <Dialog {...dialog} failure={form.failure} onSubmit={() => form.submit(onSubmit)}>
      <Fields ref={fields}>{children}</Fields>
    </Dialog>
  )
}
