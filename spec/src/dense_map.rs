//! Facts of the memory of maps that no header declares as a constant.

/// How far it is from one slot of a chain in a dense map to the next, in slots, by the code in the slot's byte; 0 ends the
/// chain. C++ clients have this table compiled in.
pub const JUMPS: [u64; 126] = {
    let mut jumps = [0; 126];
    let mut code = 0;
    while code < jumps.len() {
        let n = code as u64;
        jumps[code] = match code {
            0..16 => n,
            // Triangular numbers, from that of 6 to that of 72.
            16..83 => (n - 10) * (n - 9) / 2,
            _ => FAR_JUMPS[code - 83],
        };
        code += 1;
    }
    jumps
};

/// Triangular numbers too, each about 2.25 times the one before.
const FAR_JUMPS: [u64; 43] = [
    8_515,
    19_110,
    42_778,
    96_141,
    216_153,
    486_591,
    1_092_981,
    2_458_653,
    5_532_801,
    12_442_566,
    27_993_903,
    62_983_476,
    141_717_030,
    318_844_378,
    717_352_503,
    1_614_057_336,
    3_631_522_476,
    8_170_957_530,
    18_384_510_628,
    41_364_789_378,
    93_070_452_520,
    209_408_356_380,
    471_168_559_170,
    1_060_128_894_105,
    2_385_289_465_695,
    5_366_898_840_628,
    12_075_518_705_635,
    27_169_915_244_790,
    61_132_312_065_111,
    137_547_689_707_000,
    309_482_283_181_501,
    696_335_127_828_753,
    1_566_753_995_631_385,
    3_525_196_511_162_271,
    7_931_691_992_677_701,
    17_846_306_936_293_605,
    40_154_190_677_507_445,
    90_346_928_918_121_501,
    203_280_589_587_557_251,
    457_381_325_854_679_626,
    1_029_107_982_097_042_876,
    2_315_492_959_180_353_330,
    5_209_859_154_120_846_435,
];
