import { useMediaQuery } from '@mantine/hooks';

/** Whether the window is as narrow as a phone: the width at which the style sheets turn to one column. */
export function useIsPhone(): boolean {
	return useMediaQuery('(max-width: 767px)', false, { getInitialValueInEffect: false });
}
