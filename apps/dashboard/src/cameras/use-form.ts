import { useEffect, useRef, useState } from 'react'
import { formErrors } from '../api/form-errors.ts'

/**
 * Fields, problems and the central's refusal of a form whose fields are all text.
 * @param sentence what is shown beside a field for a problem that is found before the central is asked
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

  // After a refusal the cursor goes to the first field that needs mending; not while it is being mended.
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
    /** What an input of that field takes. */
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
