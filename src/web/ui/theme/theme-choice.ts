import { localStorageColorSchemeManager, type MantineColorScheme, useMantineColorScheme } from '@mantine/core';
import { useEffect } from 'react';

export const themeStore = localStorageColorSchemeManager({ key: 'theme' });

/** Without `data-theme`, the system's theme applies. Call before the first paint. */
export function applyTheme(scheme: MantineColorScheme): void {
	if (scheme === 'auto') delete document.documentElement.dataset.theme;
	else document.documentElement.dataset.theme = scheme;
}

export function useColorScheme() {
	const scheme = useMantineColorScheme();
	useEffect(() => applyTheme(scheme.colorScheme), [scheme.colorScheme]);
	return scheme;
}
