import { useForm } from '@mantine/form'
import { useState } from 'react'
import { formErrors } from './form-errors.ts'

/** A form with text fields only, whose values are sent to the cloud. */
export interface ApiForm<Field extends string> {
  readonly values: Readonly<Record<Field, string>>
  /** Error of the cloud that belongs to no field. */
  readonly failure: string | null
  /** Number of failed attempts to send. */
  readonly refusals: number
  /** Props of the input of a field. */
  readonly field: (name: Field) => FieldProps
  readonly set: (name: Field, value: string) => void
  /** Calls `send` with the values if `check` finds no problem. */
  readonly submit: (send: (values: Record<Field, string>) => void) => void
  /** Shows an error of the cloud, each item at its field. */
  readonly refuse: (error: unknown) => void
}

interface FieldProps {
  readonly name: string
  readonly value: string
  readonly error: string | undefined
  readonly onChange: (event: unknown) => void
}

export interface ApiFormOptions<Field extends string, Problem extends string> {
  readonly initial: Readonly<Record<Field, string>>
  /** Problems that the page can find before the request; the cloud checks all fields again. */
  readonly check: (values: Readonly<Record<Field, string>>) => Partial<Record<Field, Problem>>
  /** Text beside a field for a problem. */
  readonly sentence: (problem: Problem) => string
}

export function useApiForm<Field extends string, Problem extends string>({
  initial,
  check,
  sentence,
}: ApiFormOptions<Field, Problem>): ApiForm<Field> {
  const form = useForm<Record<Field, string>>({
    initialValues: { ...initial },
    validate: (values) =>
      Object.fromEntries(
        Object.entries<Problem | undefined>(check(values)).flatMap(([name, problem]) =>
          problem === undefined ? [] : [[name, sentence(problem)]],
        ),
      ),
  })
  const [failure, setFailure] = useState<string | null>(null)
  const [refusals, setRefusals] = useState(0)
  const refused = () => setRefusals((count) => count + 1)
  return {
    values: form.values,
    failure,
    refusals,
    field: (name) => ({ name, ...form.getInputProps(name) }) as FieldProps,
    set: (name, value) => form.setFieldValue(name, value as never),
    submit(send) {
      setFailure(null)
      form.onSubmit(send, refused)()
    },
    refuse(error) {
      const { fields, general } = formErrors(error, Object.keys(initial) as Field[])
      form.setErrors(fields)
      setFailure(general)
      refused()
    },
  }
}
