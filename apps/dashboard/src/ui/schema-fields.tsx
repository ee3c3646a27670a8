import { NativeSelect, Switch, TextInput } from '@mantine/core'
import type { FormField } from '@vigia/contracts/form-fields'
import { Fragment, type ReactNode } from 'react'

/** Texts of one field. */
export interface FieldTexts {
  readonly label: string
  readonly placeholder?: string
  /** Label of an option of a choice. */
  readonly option: (value: string) => string
}

interface SchemaFieldsProps<T> {
  /** From the schema of the body (`fieldsOf`). */
  readonly fields: readonly FormField[]
  readonly values: T
  readonly onChange: (part: Partial<T>) => void
  readonly textsOf: (name: string) => FieldTexts
  /** Fields that stand first, in this order. The others follow in the order of the schema. */
  readonly first?: readonly (keyof T & string)[]
  /** Control of a field in place of the one by its type; null: no control. */
  readonly own?: Readonly<Partial<Record<keyof T, ReactNode>>>
  /** Problem of a field, shown at its control. */
  readonly errors?: Readonly<Partial<Record<keyof T, string | undefined>>>
}

/** The fields of a form, each with the control of its type. A field that is new in the schema needs no code here. */
export function SchemaFields<T extends object>(props: SchemaFieldsProps<T>) {
  const { fields, values, onChange, textsOf, first = [], own, errors } = props
  const rank = ({ name }: FormField) => (first as readonly string[]).indexOf(name) >>> 0
  return fields
    .toSorted((a, b) => rank(a) - rank(b))
    .map((field) => {
      const name = field.name as keyof T & string
      if (own?.[name] !== undefined) return <Fragment key={name}>{own[name]}</Fragment>
      return (
        <SchemaField
          key={name}
          field={field}
          texts={textsOf(name)}
          value={values[name]}
          error={errors?.[name]}
          onChange={(value) => onChange({ [name]: value } as Partial<T>)}
        />
      )
    })
}

interface SchemaFieldProps {
  readonly field: FormField
  readonly texts: FieldTexts
  readonly value: unknown
  readonly error: string | undefined
  readonly onChange: (value: unknown) => void
}

function SchemaField({ field, texts: { label, placeholder, option }, value, error, onChange }: SchemaFieldProps) {
  const { nullable } = field
  if (field.kind === 'boolean')
    return (
      <Switch
        label={label}
        error={error}
        checked={value === true}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
    )
  const shown = value === null || value === undefined ? '' : String(value)
  const shared = { label, error, value: shown }
  if (field.kind === 'choice')
    return (
      <NativeSelect
        {...shared}
        data={[...(nullable ? [''] : []), ...field.options].map((one) => ({
          value: one,
          label: one === '' ? '' : option(one),
        }))}
        onChange={(event) => onChange(event.currentTarget.value || null)}
      />
    )
  const { max } = field
  if (field.kind === 'text')
    return (
      <TextInput
        {...shared}
        {...(placeholder === undefined ? {} : { placeholder })}
        {...(max === null ? {} : { maxLength: max })}
        onChange={(event) => onChange(event.currentTarget.value || (nullable ? null : ''))}
      />
    )
  return (
    <TextInput
      {...shared}
      type="number"
      step={field.whole ? 1 : 'any'}
      {...(field.min === null ? {} : { min: field.min })}
      {...(max === null ? {} : { max })}
      onChange={({ currentTarget: { value: text, valueAsNumber } }) => onChange(text === '' ? null : valueAsNumber)}
    />
  )
}
