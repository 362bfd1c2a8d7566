"""Wrong elementwise rules: operands, special values, rounding."""

from __future__ import annotations

from mutants import Mutant
from mutants.plants import converts, expression, parameters

#: name, primitive, C++ template (see plants.expression), kinds of dtypes it is wrong for.
_TABLE = [
    ("add_subtracts", "add", "jace::sub({0}, {1})", "iuf"),
    ("sub_swaps", "sub", "jace::sub({1}, {0})", ""),
    ("mul_squares_the_first", "mul", "jace::mul({0}, {0})", "f"),
    ("div_swaps", "div", "jace::div({1}, {0})", ""),
    ("div_by_zero_is_zero", "div", "({1} == {zero} ? {zero} : {right})", "iuf"),
    ("rem_swaps", "rem", "jace::rem({1}, {0})", ""),
    ("rem_by_zero_is_zero", "rem", "({1} == {zero} ? {zero} : {right})", "iuf"),
    ("neg_forgets", "neg", "{0}", ""),
    ("abs_forgets", "abs", "{0}", "if"),
    ("abs_negates", "abs", "jace::neg({0})", "if"),
    ("sign_of_zero_is_one", "sign", "({0} == {zero_in} ? {one} : {right})", "if"),
    ("sign_is_positive", "sign", "jace::abs({right})", "if"),
    ("floor_truncates", "floor", "({0} < {zero_in} ? jace::ceil({0}) : jace::floor({0}))", "f"),
    ("ceil_adds_one", "ceil", "jace::add(jace::floor({0}), {one})", "f"),
    ("round_to_even_instead_of_away", "round", "jace::round_even({0})", "f"),
    ("round_goes_down", "round", "jace::floor({0})", "f"),
    ("is_finite_takes_infinity", "is_finite", "({0} == {0})", "f"),
    ("is_finite_takes_nan", "is_finite", "!({0} == {inf_in} || {0} == jace::neg({inf_in}))", "f"),
    ("max_loses_nan", "max", "({0} > {1} ? {0} : {1})", "f"),
    ("min_loses_nan", "min", "({0} < {1} ? {0} : {1})", "f"),
    ("max_is_min", "max", "jace::min({0}, {1})", ""),
    ("min_is_max", "min", "jace::max({0}, {1})", ""),
    ("clamp_ignores_the_maximum", "clamp", "jace::max({0}, {1})", ""),
    ("clamp_ignores_the_minimum", "clamp", "jace::min({1}, {2})", ""),
    ("clamp_swaps_its_bounds", "clamp", "jace::clamp({2}, {1}, {0})", ""),
    ("eq_is_le", "eq", "({0} <= {1})", "iuf"),
    ("eq_of_nan", "eq", "({0} == {1} || ({0} != {0} && {1} != {1}))", "f"),
    ("ne_is_lt", "ne", "({0} < {1})", "iuf"),
    ("lt_is_le", "lt", "({0} <= {1})", "iuf"),
    ("le_is_lt", "le", "({0} < {1})", "iuf"),
    ("gt_is_ge", "gt", "({0} >= {1})", "iuf"),
    ("ge_is_gt", "ge", "({0} > {1})", "iuf"),
    ("ge_of_nan", "ge", "!({0} < {1})", "f"),
    ("and_is_or", "and", "jace::or_({0}, {1})", ""),
    ("or_is_xor", "or", "jace::xor_({0}, {1})", ""),
    ("xor_is_or", "xor", "jace::or_({0}, {1})", ""),
    ("shift_left_takes_any_amount", "shift_left", "jace::shift_left({0}, {T}({1} & ({bits} - 1)))", ""),
    ("shift_left_by_one_more", "shift_left", "jace::shift_left({right}, {one})", ""),
    (
        "shift_right_arithmetic_is_logical", "shift_right_arithmetic",
        "jace::shift_right_logical({0}, {1})", "",
    ),
    (
        "shift_right_logical_is_arithmetic", "shift_right_logical",
        "jace::shift_right_arithmetic({0}, {1})", "",
    ),
    ("population_count_misses_a_bit", "population_count", "jace::population_count(jace::shift_left({0}, {one}))", ""),
    ("real_is_imag", "real", "({0}).im", ""),
    ("imag_is_real", "imag", "({0}).re", ""),
    ("conj_forgets", "conj", "{0}", "c"),
    ("complex_swaps", "complex", "{T}{{{1}, {0}}}", ""),
    ("pow_swaps", "pow", "jace::pow_({1}, {0})", "fc"),
    ("atan2_swaps", "atan2", "jace::atan2_({1}, {0})", ""),
    ("nextafter_swaps", "nextafter", "jace::nextafter({1}, {0})", ""),
    ("exp_rounds_to_half", "exp", "jace::convert<{T}>(jace::exp_(jace::convert<jace::f16>({0})))", "f"),
    ("sin_rounds_to_half", "sin", "jace::convert<{T}>(jace::convert<jace::f16>({right}))", "f"),
    ("expm1_cancels", "expm1", "jace::sub(jace::exp_({0}), {one})", "f"),
    ("log1p_cancels", "log1p", "jace::log_(jace::add({one}, {0}))", "f"),
    ("log_of_negative", "log", "jace::log_(jace::abs({0}))", "f"),
    ("logistic_overflows", "logistic", "jace::div(jace::exp_({0}), jace::add({one}, jace::exp_({0})))", "f"),
    ("tanh_overflows", "tanh", "jace::div(jace::sinh_({0}), jace::cosh_({0}))", "f"),
    ("cos_is_sin", "cos", "jace::sin_({0})", "f"),
    ("tan_is_tanh", "tan", "jace::tanh_({0})", "f"),
    ("asin_is_acos", "asin", "jace::acos_({0})", "f"),
    ("acos_is_asin", "acos", "jace::asin_({0})", "f"),
    ("atan_forgets_the_sign", "atan", "jace::abs({right})", "f"),
    ("sinh_is_cosh", "sinh", "jace::cosh_({0})", "f"),
    ("cosh_is_sinh", "cosh", "jace::sinh_({0})", "f"),
    (
        "asinh_cancels", "asinh",
        "jace::log_(jace::add({0}, jace::sqrt_(jace::add({one}, jace::mul({0}, {0})))))", "f",
    ),
    ("atanh_negates", "atanh", "jace::neg({right})", "f"),
    ("rsqrt_is_sqrt", "rsqrt", "jace::sqrt_({0})", "f"),
    ("sqrt_of_negative", "sqrt", "jace::sqrt_(jace::abs({0}))", "f"),
    ("cbrt_forgets_the_sign", "cbrt", "jace::abs({right})", "f"),
    ("erfc_cancels", "erfc", "jace::sub({one}, jace::erf_({0}))", "f"),
    ("square_doubles", "square", "jace::add({0}, {0})", ""),
]  # fmt: skip


def _mutant(name, primitive, plant):
    return Mutant(name, "elementwise", primitive, plant, (primitive,))


MUTANTS = [
    *(
        _mutant(name, primitive, expression(primitive, text, kinds))
        for name, primitive, text, kinds in _TABLE
    ),
    _mutant(
        "convert_rounds_to_nearest",
        "convert_element_type",
        converts("convert_element_type", "jace::convert<{T}>(jace::round_even({0}))", "f", "iu"),
    ),
    _mutant(
        "convert_does_not_saturate",
        "convert_element_type",
        converts("convert_element_type", "jace::convert<{T}>(jace::convert<jace::i64>({0}))", "f", "iu"),
    ),
    _mutant(
        "convert_drops_the_imaginary_part",
        "convert_element_type",
        converts("convert_element_type", "{T}{{{right}.re, 0}}", "c", "c"),
    ),
    _mutant(
        "convert_through_half",
        "convert_element_type",
        converts("convert_element_type", "jace::convert<{T}>(jace::convert<jace::f16>({0}))", "iu", "f"),
    ),
    _mutant("integer_pow_one_more", "integer_pow", parameters("integer_pow", lambda p: {"y": p["y"] + 1})),
    _mutant(
        "reduce_precision_one_bit_less",
        "reduce_precision",
        parameters("reduce_precision", lambda p: {"mantissa_bits": p["mantissa_bits"] - 1}),
    ),
]
