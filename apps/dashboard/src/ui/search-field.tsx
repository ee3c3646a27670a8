import { TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'

interface SearchFieldProps {
  readonly label: string
  readonly value: string
  readonly onChange: (text: string) => void
}

/** Search box above a list that is in the page already. */
export const SearchField = ({ label, value, onChange }: SearchFieldProps) => (
  <TextInput
    mb="md"
    type="search"
    aria-label={label}
    placeholder={label}
    leftSection={<IconSearch size={18} aria-hidden="true" />}
    value={value}
    onChange={(event) => onChange(event.currentTarget.value)}
  />
)
