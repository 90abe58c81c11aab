import { isIP, isIPv4, isIPv6 } from 'node:net';

/** Normalises an IP address: no port or brackets, mapped IPv4 as IPv4. @returns 'Unknown' for anything else */
export function normalizeIpAddress(text: string): string {
	const bare = /^\[([^\]]+)\](?::\d+)?$/u.exec(text)?.[1] ?? /^([\d.]+):\d+$/u.exec(text)?.[1] ?? text;
	if (isIPv4(bare)) return bare;
	if (!isIPv6(bare)) return 'Unknown';
	const mapped = /^::ffff:([\d.]+)$/iu.exec(bare)?.[1];
	if (mapped !== undefined && isIPv4(mapped)) return mapped;
	// Drops the zone, which names an interface of this machine.
	return new URL(`http://[${bare.split('%')[0]}]/`).hostname.slice(1, -1);
}

/** Returns what identifies a subscriber for rate limits: the /64 of IPv6 (RFC 6177), all of anything else. */
export function subscriberPrefixOf(address: string): string {
	if (isIP(address) !== 6) return address;
	return `${ipv6Groups(address).slice(0, 4).join(':')}::/64`;
}

/** Returns the network of an address: IPv4 without its last byte, 48 bits of IPv6. Anything else is unchanged. */
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
