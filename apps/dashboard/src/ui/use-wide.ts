import { useMediaQuery } from '@mantine/hooks'

/** Whether the navigation is at the side; navigation.module.css and painel.module.css use the same width. */
export const useWide = (): boolean => useMediaQuery('(min-width: 62em)', false, { getInitialValueInEffect: false })
