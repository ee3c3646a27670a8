import { useEffect, useRef, useState } from 'react'
import { formErrors } from '../api/form-errors.ts'

/**
 * Fields, problems and the error of the cloud of a form with only text fields.
 * @param sentence text beside a field for a problem that the page found itself
 */
export function useForm<Field extends string, Problem extends string>(
  known: readonly Field[],
  initial: () => Record<Field, string>,
  sentence: (problem: Problem) => string,
) {
  const [form, setForm] = useState(initial)
  const [errors, setErrors] = useState<Partial<Record<Field, string>>>({})
  const [failure, setFailure] = useState<string | null>(null)
  const [refusals, setRefusals] = useState(0)
  const fields = useRef<HTMLDivElement>(null)

  // After an error the focus moves to the first invalid field, but not during its correction.
  useEffect(() => {
    if (refusals > 0) fields.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [refusals])

  const change = (field: Field, value: string) => {
    setForm((now) => ({ ...now, [field]: value }))
    setErrors((now) => {
      const { [field]: _mended, ...rest } = now
      return rest as Partial<Record<Field, string>>
    })
  }
  return {
    form,
    errors,
    failure,
    fields,
    change,
    /** Props of the input of a field. */
    field: (name: Field) => ({
      name,
      value: form[name],
      error: errors[name],
      onChange: (event: { currentTarget: { value: string } }) => change(name, event.currentTarget.value),
    }),
    /** Shows `problems`; true when there are none. */
    accept(problems: Partial<Record<Field, Problem>>): boolean {
      const found = Object.entries<Problem | undefined>(problems).flatMap(([name, problem]) =>
        problem === undefined ? [] : [[name, sentence(problem)]],
      )
      setErrors(Object.fromEntries(found))
      setFailure(null)
      setRefusals((count) => count + 1)
      return found.length === 0
    },
    refuse(error: unknown) {
      const refused = formErrors(error, known)
      setErrors(refused.fields)
      setFailure(refused.general)
      setRefusals((count) => count + 1)
    },
  }
}
