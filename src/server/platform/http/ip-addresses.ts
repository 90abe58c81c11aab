import { isIP, isIPv4, isIPv6 } from 'node:net';

/** Normalises an IP address: removes port and brackets, converts mapped IPv4 to IPv4. @returns 'Unknown' if invalid */
export function normalizeIpAddress(text: string): string {
	const bare = /^\[([^\]]+)\](?::\d+)?$/u.exec(text)?.[1] ?? /^([\d.]+):\d+$/u.exec(text)?.[1] ?? text;
	if (isIPv4(bare)) return bare;
	if (!isIPv6(bare)) return 'Unknown';
	const mapped = /^::ffff:([\d.]+)$/iu.exec(bare)?.[1];
	if (mapped !== undefined && isIPv4(mapped)) return mapped;
	// Removes the zone index (RFC 4007), which names a network interface of this machine.
	return new URL(`http://[${bare.split('%')[0]}]/`).hostname.slice(1, -1);
}

/** Returns the key of a subscriber for rate limits: the /64 prefix of IPv6 (RFC 6177); other text is unchanged. */
export function subscriberPrefixOf(address: string): string {
	if (isIP(address) !== 6) return address;
	return `${ipv6Groups(address).slice(0, 4).join(':')}::/64`;
}

/** Anonymises an address: zeroes the last byte of IPv4, keeps 48 bits of IPv6. Other text is unchanged. */
export function anonymizeIpAddress(address: string): string {
	const kind = isIP(address);
	if (kind === 4) return address.replace(/\d+$/u, '0');
	return kind === 6 ? normalizeIpAddress(`${ipv6Groups(address).slice(0, 3).join(':')}::`) : address;
}

function ipv6Groups(address: string): string[] {
	const [head = '', tail] = normalizeIpAddress(address).split('::');
	const first = head === '' ? [] : head.split(':');
	const last = tail === undefined || tail === '' ? [] : tail.split(':');
	return [...first, ...Array<string>(8 - first.length - last.length).fill('0'), ...last];
}
