import { Box, Flex } from '@mantine/core';
import { m } from '#messages';

export function BrandLogo() {
	return (
		<svg viewBox="0 0 18 18" width="20" height="20" aria-hidden="true">
			<circle cx="9" cy="3.6" r="3" fill="var(--accent-fill)" />
			<path d="M6.5 6.2h5v3h2.75v3H17V16H1v-3.8h2.75v-3H6.5z" fill="var(--ink)" />
		</svg>
	);
}

export function Brand() {
	return (
		<Flex component="span" display="inline-flex" align="center" gap={10}>
			<BrandLogo />
			<Box component="span" c="var(--ink)" lts="-0.01em" style={{ font: '560 20px / 1 var(--font-display)' }}>
				{m.brand()}
			</Box>
		</Flex>
	);
}
