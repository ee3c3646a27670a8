import { ActionIcon, Button, type ButtonProps } from '@mantine/core'
import type { Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'

interface CardButtonProps extends Pick<ButtonProps, 'variant' | 'className'> {
  readonly icon: Icon
  /** Action and name of the record: the visible text is the same on all cards. */
  readonly label: string
  readonly onClick: () => void
  readonly children: ReactNode
}

/** Button on the card of one record. */
export function CardButton({ icon: Icon, label, variant = 'subtle', ...button }: CardButtonProps) {
  return (
    <Button
      variant={variant}
      {...(variant === 'subtle' ? { color: 'gray' } : {})}
      size="sm"
      leftSection={<Icon size={17} />}
      aria-label={label}
      {...button}
    />
  )
}

interface CardIconProps extends Omit<CardButtonProps, 'children' | 'variant'> {
  /** Tooltip: the text that other buttons show. */
  readonly title: string
}

/** Button on the card of one record that shows only its icon. */
export function CardIcon({ icon: Icon, label, ...button }: CardIconProps) {
  return (
    <ActionIcon variant="subtle" color="gray" size={40} aria-label={label} {...button}>
      <Icon size={19} />
    </ActionIcon>
  )
}
