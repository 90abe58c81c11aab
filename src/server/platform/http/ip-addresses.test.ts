import { expect, test } from 'vitest';
import { anonymizeIpAddress, normalizeIpAddress, subscriberPrefixOf } from './ip-addresses.ts';

test.each([
	['203.0.113.7', '203.0.113.7'],
	['203.0.113.7:5555', '203.0.113.7'],
	['::ffff:203.0.113.7', '203.0.113.7'],
	['[2001:db8::1]:443', '2001:db8::1'],
	['2001:0DB8:0:0::1', '2001:db8::1'],
	['fe80::1%eth0', 'fe80::1'],
	['::1', '::1'],
	['', 'Unknown'],
	['1.2.3.4, 5.6.7.8', 'Unknown'],
	['<script>', 'Unknown'],
])('normalizeIpAddress turns %j into %j', (text, address) => {
	expect(normalizeIpAddress(text)).toBe(address);
});

test.each([
	['2001:db8:1:2::1', '2001:db8:1:2::/64'],
	['2001:db8:1:2:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
	['2001:db8::1', '2001:db8:0:0::/64'],
	['::1', '0:0:0:0::/64'],
	['203.0.113.7', '203.0.113.7'],
	['asha@example.com', 'asha@example.com'],
])('subscriberPrefixOf reduces %j to %j', (address, prefix) => {
	expect(subscriberPrefixOf(address)).toBe(prefix);
});

test.each([
	['203.0.113.77', '203.0.113.0'],
	['203.0.113.0', '203.0.113.0'],
	['2001:db8:1:2:3:4:5:6', '2001:db8:1::'],
	['2001:db8::1', '2001:db8::'],
	['::1', '::'],
	['Unknown', 'Unknown'],
])('anonymizeIpAddress shortens %j to %j', (address, network) => {
	expect(anonymizeIpAddress(address)).toBe(network);
	expect(anonymizeIpAddress(network)).toBe(network);
});
