"""Relations and the orders made from them."""
